// A stored conversation in a few words.
import type { SessionSummary } from '@haft/agent';

/** The title for people: piped text is named, not quoted. */
export function titleOf({ title }: Pick<SessionSummary, 'title'>): string {
  return title.replace(/\s*<stdin>.*$/s, ' (and piped text)').trim() || '(no title)';
}

/** `2026-03-01 14:05` in the user's time zone. */
export function localTime(ms: number): string {
  const date = new Date(ms);
  return new Date(ms - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16).replace('T', ' ');
}
