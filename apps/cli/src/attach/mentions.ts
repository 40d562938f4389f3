// `@file` in a message: where one stands, and what it names. `\@` is just an at sign.

export interface Mention {
  /** As it stands in the message, with the at sign. */
  raw: string;
  /** What it may name, likeliest first: what follows a path in a sentence is no part of it, unless there is such a file. */
  candidates: readonly Candidate[];
}

export interface Candidate {
  path: string;
  /** First and last line, counted from 1. */
  lines?: { first: number; last?: number };
}

/** At the beginning of a word, also behind an opening bracket or quote; a quoted path may hold blanks. */
const mention = /(?<=^|[\s([{"'<,])@(?:"([^"\n]+)"|((?:\\.|[^\s\\"])+))/g;
const trailing = /[.,;:!?)\]}'>]+$/;

/** The mentions of a message, each path once, in order. */
export function findMentions(text: string): Mention[] {
  const found = new Map<string, Mention>();
  for (const [raw, quoted, bare] of text.matchAll(mention)) {
    const mentioned = quoted ?? (bare ?? '').replace(/\\(.)/g, '$1');
    if (!found.has(raw)) found.set(raw, { raw, candidates: quoted === undefined ? candidatesOf(mentioned) : withLines(mentioned) });
  }
  return [...found.values()];
}

/** The message as it is sent: escaped at signs without their backslash. */
export function withoutEscapes(text: string): string {
  return text.replace(/\\@/g, '@');
}

/** How a path is written in a message. */
export function mentionOf(path: string): string {
  return /[\s"\\]/.test(path) ? `@"${path}"` : `@${path}`;
}

function candidatesOf(word: string): Candidate[] {
  const shorter = word.replace(trailing, '');
  return [...withLines(word), ...(shorter === word || shorter === '' ? [] : withLines(shorter))];
}

/** `src/a.ts:10-20` is a range of lines, unless a file is called that. */
function withLines(word: string): Candidate[] {
  const [, path, first, last] = /^(.+?):(\d{1,7})(?:-(\d{1,7}))?$/.exec(word) ?? [];
  if (path === undefined) return [{ path: word }];
  return [{ path: word }, { path, lines: { first: Math.max(1, Number(first)), ...(last === undefined ? {} : { last: Number(last) }) } }];
}
