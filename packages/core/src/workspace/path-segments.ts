/** The text of a path as a tool gives it → its segments; refuses what is no path before anything is opened. */
import { ToolFailure } from '../errors.js';
import { canonicalName, nameLength } from './file-name.js';

const maxPathBytes = 4_096;
const maxNameBytes = 255;

export interface PathText {
  absolute: boolean;
  /** Without empty and `.` segments; `..` is kept, since only the walk knows what it means behind a link. */
  segments: string[];
  /** A trailing slash says "a folder". */
  folder: boolean;
}

/** Splits a path. Throws `invalid_path` for an empty or over-long one, or one with a NUL character. `~` and `*` mean nothing here. */
export function parsePath(path: string): PathText {
  if (path === '') throw new ToolFailure('invalid_path', 'The path is empty. Use "." for the workspace root.');
  if (path.includes('\0')) throw new ToolFailure('invalid_path', 'The path holds a NUL character.');
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.').map(canonicalSegment);
  if (path.length > maxPathBytes || segments.some((segment) => segment.length * 3 > maxNameBytes && nameLength(segment) > maxNameBytes)) {
    throw new ToolFailure('invalid_path', `The path is too long: at most ${maxNameBytes} bytes a name and ${maxPathBytes} in all.`);
  }
  return { absolute: path.startsWith('/'), segments, folder: /\/\.?$/.test(path) };
}

function canonicalSegment(segment: string): string {
  const name = canonicalName(segment);
  if (name === undefined) throw new ToolFailure('invalid_path', 'The path holds half of a surrogate pair, which no file name can hold.');
  return name;
}

/** Applies `.` and `..` by text alone; undefined when that leaves the start. For rules on the asked name, never for opening. */
export function normalizeSegments(segments: readonly string[]): string[] | undefined {
  const kept: string[] = [];
  for (const segment of segments) {
    if (segment !== '..') kept.push(segment);
    else if (kept.pop() === undefined) return undefined;
  }
  return kept;
}

/** `/a/b` → `/a`; `/` → `/`. */
export function parentOf(absolute: string): string {
  return absolute.slice(0, Math.max(absolute.lastIndexOf('/'), 1));
}

/** Joins an absolute folder and a name without a double slash. */
export function joinPath(absolute: string, name: string): string {
  return absolute === '/' ? `/${name}` : `${absolute}/${name}`;
}

/** Whether `absolute` is `folder` or lies below it, by whole segments. */
export function isWithin(absolute: string, folder: string): boolean {
  return absolute === folder || absolute.startsWith(folder === '/' ? '/' : `${folder}/`);
}
