/**
 * Every place where a text occurs in a file's bytes. A line feed in the text stands for the file's own line break, LF or CR LF, one
 * by one, so that a text copied from a shown file fits whatever its line ends are. Nothing else is bent.
 */
export interface Match {
  /** Byte offsets; `end` is exclusive. */
  start: number;
  end: number;
}

const lf = 10;
const cr = 13;

/** `\r\n` → `\n`. */
export function withPlainBreaks(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** Places in order, overlapping ones included, at most `most`. `literal`: line breaks are matched as they are written. */
export function findText(bytes: Buffer, text: string, options: { literal?: boolean; most?: number } = {}): Match[] {
  const { literal = false, most = Number.POSITIVE_INFINITY } = options;
  const segments = literal ? [text] : withPlainBreaks(text).split('\n');
  if (segments.length === 1 || !bytes.includes('\r\n')) return findBytes(bytes, Buffer.from(segments.join('\n'), 'utf8'), most);
  return findLines(bytes, segments.map((segment) => Buffer.from(segment, 'utf8')), most);
}

function findBytes(bytes: Buffer, needle: Buffer, most: number): Match[] {
  const matches: Match[] = [];
  if (needle.length === 0) return matches;
  for (let at = bytes.indexOf(needle); at !== -1 && matches.length < most; at = bytes.indexOf(needle, at + 1)) {
    matches.push({ start: at, end: at + needle.length });
  }
  return matches;
}

/** Looks for the longest line of the text, then compares its neighbours. */
function findLines(bytes: Buffer, segments: readonly Buffer[], most: number): Match[] {
  const longest = segments.reduce((best, segment, index) => (segment.length > (segments[best]?.length ?? 0) ? index : best), 0);
  const anchor = segments[longest] ?? Buffer.alloc(0);
  const matches: Match[] = [];
  if (anchor.length > 0) {
    for (let at = bytes.indexOf(anchor); at !== -1 && matches.length < most; at = bytes.indexOf(anchor, at + 1)) {
      keepMatch(matches, spread(bytes, segments, longest, at));
    }
    return matches;
  }
  for (let at = bytes.indexOf(lf); at !== -1 && matches.length < most; at = bytes.indexOf(lf, at + 1)) {
    keepMatch(matches, spread(bytes, segments, 1, at + 1));
  }
  return matches;
}

function keepMatch(matches: Match[], match: Match | undefined): void {
  if (match !== undefined && matches.at(-1)?.start !== match.start) matches.push(match);
}

/** The whole match around the segment `index` found at `at`, if its neighbours fit. */
function spread(bytes: Buffer, segments: readonly Buffer[], index: number, at: number): Match | undefined {
  let end = at + (segments[index]?.length ?? 0);
  for (const segment of segments.slice(index + 1)) {
    if (bytes[end] === cr && bytes[end + 1] === lf) end += 2;
    else if (bytes[end] === lf) end += 1;
    else return undefined;
    if (!holdsAt(bytes, segment, end)) return undefined;
    end += segment.length;
  }
  let start = at;
  for (const segment of segments.slice(0, index).reverse()) {
    if (bytes[start - 1] !== lf) return undefined;
    start -= bytes[start - 2] === cr ? 2 : 1;
    start -= segment.length;
    if (start < 0 || !holdsAt(bytes, segment, start)) return undefined;
  }
  return { start, end };
}

function holdsAt(bytes: Buffer, part: Buffer, at: number): boolean {
  return at + part.length <= bytes.length && bytes.compare(part, 0, part.length, at, at + part.length) === 0;
}
