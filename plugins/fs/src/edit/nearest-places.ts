/** For a text that was not found: the lines of the file that come nearest to it, and what differs, with white space made visible. */
import { withPlainBreaks } from './find-text.js';

const maxPlaces = 3;
const maxLines = 200_000;
const maxBytes = 8 * 1024 * 1024;
const maxShown = 160;

interface Place {
  line: number;
  text: string;
  score: number;
  reason: string;
}

/** One reason why two lines that look alike are not the same, and a form in which they are. In the order of being tried. */
const likenesses: readonly (readonly [reason: string, form: (text: string) => string])[] = [
  ['white space at the end differs', (text) => text.trimEnd()],
  ['indentation differs', (text) => text.trim()],
  ['white space differs', (text) => text.replaceAll(/\s+/g, '')],
  ['the Unicode composition differs (NFC and NFD)', (text) => text.normalize('NFC').trim()],
  ['quotation marks or dashes differ', (text) => plainMarks(text).trim()],
  ['upper and lower case differ', (text) => text.trim().toLowerCase()],
];

export function describeNearest(bytes: Buffer, wanted: string): string {
  const wantedLines = withPlainBreaks(wanted).split('\n');
  const index = wantedLines.findIndex((line) => line.trim() !== '');
  const first = wantedLines[index];
  if (first === undefined) return 'The text to replace is white space only; take a neighbouring line with it.';
  if (wantedLines.every((line) => line === '' || /^\s*\d+[\t:|]/.test(line))) return 'It begins with line numbers, as read_file and grep show them: give the text without them.';
  const lines = bytes.subarray(0, maxBytes).toString('utf8').split('\n', maxLines);
  const exact = partialMatch(lines, wantedLines);
  if (exact !== undefined) return exact;
  const places = nearestPlaces(lines, first);
  if (places.length === 0) return 'No line resembles it. Read the file again and copy the text exactly.';
  const shown = places.map(({ line, text, reason }) => `  line ${line} (${reason}): ${visible(text)}`);
  return [`Looked for: ${visible(first)}`, 'Nearest:', ...shown, 'Copy the text exactly, white space included (→ is a tab, · a space).'].join('\n');
}

/** When the first line is there exactly, the line after it that is not. */
function partialMatch(lines: readonly string[], wanted: readonly string[]): string | undefined {
  const [first] = wanted;
  if (wanted.length < 2 || first === undefined || first.trim() === '') return undefined;
  let best = { start: -1, equal: 0 };
  for (const [start, line] of lines.entries()) {
    if (!withoutCr(line).endsWith(first)) continue;
    let equal = 1;
    while (equal < wanted.length && sameLine(lines[start + equal], wanted[equal], equal === wanted.length - 1)) equal++;
    if (equal > best.equal) best = { start, equal };
  }
  if (best.start === -1) return undefined;
  const found = lines[best.start + best.equal];
  const line = best.start + best.equal + 1;
  const where = found === undefined ? 'but the file ends there' : `but line ${line} is ${visible(withoutCr(found))}`;
  return `Its first ${best.equal === 1 ? 'line is' : `${best.equal} lines are`} at line ${best.start + 1}, ${where}\n  where old_text has ${visible(wanted[best.equal] ?? '')}\n(→ is a tab, · a space)`;
}

function sameLine(found: string | undefined, wanted: string | undefined, last: boolean): boolean {
  if (found === undefined || wanted === undefined) return false;
  return last ? withoutCr(found).startsWith(wanted) : withoutCr(found) === wanted;
}

function nearestPlaces(lines: readonly string[], wanted: string): Place[] {
  const forms = likenesses.map(([reason, form]) => ({ reason, form, wanted: form(wanted) }));
  const wantedPairs = pairsOf(wanted);
  const budget = lines.length > 20_000 ? 0 : 1;
  const places: Place[] = [];
  for (const [index, raw] of lines.entries()) {
    const text = withoutCr(raw);
    if (text.trim() === '') continue;
    const like = forms.findIndex((form) => form.wanted !== '' && form.form(text).includes(form.wanted));
    const reason = forms[like]?.reason;
    const score = reason === undefined ? budget * similarity(wantedPairs, text) : 2 - like / 10;
    if (score > 0.5) places.push({ line: index + 1, text, score, reason: reason ?? 'similar' });
  }
  return places.sort((left, right) => right.score - left.score || left.line - right.line).slice(0, maxPlaces);
}

function pairsOf(text: string): Set<string> {
  const plain = text.replaceAll(/\s+/g, '').toLowerCase().slice(0, 400);
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < plain.length; at++) pairs.add(plain.slice(at, at + 2));
  return pairs;
}

/** Dice's coefficient on pairs of characters, white space and case aside. */
function similarity(wanted: ReadonlySet<string>, text: string): number {
  const pairs = pairsOf(text);
  if (pairs.size === 0 || wanted.size === 0) return 0;
  let shared = 0;
  for (const pair of pairs) if (wanted.has(pair)) shared++;
  return (2 * shared) / (pairs.size + wanted.size);
}

function plainMarks(text: string): string {
  return text.replaceAll(/[‘’‚‛]/g, "'").replaceAll(/[“”„‟]/g, '"').replaceAll(/[‐-―−]/g, '-');
}

function withoutCr(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** Tabs and spaces as marks, other characters that do not show as escapes. */
function visible(text: string): string {
  const shown = text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
  return shown
    .replaceAll('\t', '→')
    .replaceAll(' ', '·')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zs}\u0300-\u036f]/gu, (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);
}
