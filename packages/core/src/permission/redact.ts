/** Redaction by value: every known secret, in every form it is likely to take on its way out. */
import type { Redactor } from './ports.js';
import { encodingsOf } from './secret-encodings.js';

export const redactionMark = '[redacted]';

export interface ValueRedactor extends Redactor {
  /** Characters of the longest form of any secret; 0 when there are none. */
  readonly longest: number;
  /** Where forms of secrets lie in the text, merged and in order. */
  find(text: string): Span[];
  /** Whether some form begins with this text and is longer. */
  beginsSecret(text: string): boolean;
}

export interface Span {
  start: number;
  end: number;
}

/** Shorter values are words of everyday text; replacing them would ruin every output. */
const minSecretChars = 6;

/** Values shorter than 6 characters are left alone. Nothing is kept but the values in memory. */
export function createRedactor(secrets: Iterable<string>): ValueRedactor {
  const forms = [...new Set([...secrets].filter((secret) => secret.length >= minSecretChars).flatMap(encodingsOf))];
  const longest = Math.max(0, ...forms.map((form) => form.length));
  const find = spanFinder(forms);
  const beginnings = new Set(forms.flatMap((form) => Array.from({ length: form.length - 1 }, (_, index) => form.slice(0, index + 1))));
  return {
    longest,
    find,
    beginsSecret: (text) => beginnings.has(text),
    redact: (text) => replaceSpans(text, find(text)),
  };
}

export function replaceSpans(text: string, spans: readonly Span[]): string {
  let out = '';
  let from = 0;
  for (const { start, end } of spans) {
    out += text.slice(from, start) + redactionMark;
    from = end;
  }
  return out + text.slice(from);
}

/** One expression over all forms, longest first; a hit is searched again from its second character, so overlaps are found too. */
function spanFinder(forms: readonly string[]): (text: string) => Span[] {
  if (forms.length === 0) return () => [];
  const ordered = forms.toSorted((left, right) => right.length - left.length);
  const source = ordered.map((form) => form.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')).join('|');
  return (text) => {
    const expression = new RegExp(source, 'g');
    const spans: Span[] = [];
    for (let hit = expression.exec(text); hit; hit = expression.exec(text)) {
      merge(spans, { start: hit.index, end: hit.index + hit[0].length });
      expression.lastIndex = hit.index + 1;
    }
    return spans;
  };
}

function merge(spans: Span[], next: Span): void {
  const last = spans.at(-1);
  if (last && next.start < last.end) last.end = Math.max(last.end, next.end);
  else spans.push(next);
}
