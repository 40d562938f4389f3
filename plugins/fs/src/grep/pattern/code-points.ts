/** Sets of code points as sorted, disjoint, inclusive ranges. */
export type Range = readonly [from: number, to: number];
export type CodePoints = readonly Range[];

const last = 0x10ffff;

export function normalizeRanges(ranges: readonly Range[]): Range[] {
  const sorted = ranges.filter(([from, to]) => from <= to).sort((left, right) => left[0] - right[0]);
  const merged: [number, number][] = [];
  for (const [from, to] of sorted) {
    const previous = merged.at(-1);
    if (previous !== undefined && from <= previous[1] + 1) previous[1] = Math.max(previous[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

export function complement(ranges: CodePoints): Range[] {
  const result: Range[] = [];
  let next = 0;
  for (const [from, to] of normalizeRanges(ranges)) {
    if (from > next) result.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= last) result.push([next, last]);
  return result;
}

export function without(ranges: CodePoints, codePoint: number): Range[] {
  return complement([...complement(ranges), [codePoint, codePoint]]);
}

export const digits: CodePoints = [[0x30, 0x39]];
export const wordCharacters: CodePoints = [[0x30, 0x39], [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]];
export const spaces: CodePoints = [[0x09, 0x0d], [0x20, 0x20]];

const properties = new Map<string, CodePoints>();

/** The members of a Unicode property such as `L` or `Script=Han`, as this Node knows it; undefined for an unknown one. */
export function unicodeProperty(name: string): CodePoints | undefined {
  const known = properties.get(name);
  if (known !== undefined) return known;
  let test: RegExp;
  try {
    test = new RegExp(`^\\p{${name}}$`, 'u');
  } catch {
    return undefined;
  }
  const ranges = rangesWhere((codePoint) => test.test(String.fromCodePoint(codePoint)));
  properties.set(name, ranges);
  return ranges;
}

function rangesWhere(holds: (codePoint: number) => boolean): Range[] {
  const ranges: [number, number][] = [];
  for (let codePoint = 0; codePoint <= last; codePoint++) {
    if (codePoint === 0xd800) codePoint = 0xe000;
    if (!holds(codePoint)) continue;
    const previous = ranges.at(-1);
    if (previous !== undefined && previous[1] === codePoint - 1) previous[1] = codePoint;
    else ranges.push([codePoint, codePoint]);
  }
  return ranges;
}

let caseGroups: Map<number, number[]> | undefined;

/** Adds to a set whatever differs from a member in case only. */
export function withBothCases(ranges: CodePoints): Range[] {
  const added: Range[] = [];
  if (ranges.every(([, to]) => to < 0x80)) {
    for (const [from, to] of ranges) for (let codePoint = from; codePoint <= to; codePoint++) added.push(...asciiVariants(codePoint));
    return normalizeRanges([...ranges, ...added]);
  }
  caseGroups ??= allCaseGroups();
  for (const [codePoint, others] of caseGroups) {
    if (ranges.some(([from, to]) => codePoint >= from && codePoint <= to)) added.push(...others.map((other): Range => [other, other]));
  }
  return normalizeRanges([...ranges, ...added]);
}

/** Beside the other case, the two signs beyond ASCII that fold to k and s. */
function asciiVariants(codePoint: number): Range[] {
  const letter = codePoint | 0x20;
  if (letter < 0x61 || letter > 0x7a) return [];
  const single = (value: number): Range => [value, value];
  return [single(letter), single(letter - 0x20), ...(letter === 0x6b ? [single(0x212a)] : []), ...(letter === 0x73 ? [single(0x17f)] : [])];
}

function allCaseGroups(): Map<number, number[]> {
  const byFold = new Map<string, number[]>();
  for (let codePoint = 0; codePoint < 0x1f000; codePoint++) {
    if (codePoint >= 0xd800 && codePoint < 0xe000) continue;
    const character = String.fromCodePoint(codePoint);
    const upper = character.toUpperCase();
    const fold = upper.toLowerCase();
    if (fold === character && upper === character) continue;
    if (fold.length > 2 || upper.length > 2) continue;
    const group = byFold.get(fold);
    if (group) group.push(codePoint);
    else byFold.set(fold, [codePoint]);
  }
  const groups = new Map<number, number[]>();
  for (const group of byFold.values()) if (group.length > 1) for (const codePoint of group) groups.set(codePoint, group);
  return groups;
}
