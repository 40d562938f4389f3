/** Takes secrets out of what is recorded: the values that were sent as keys, those the user names, and what looks like a key. */
import { jsonOrText } from '../loopback.js';

const lookalikes = [
  /\b(?:sk|pk|rk|gsk|xai|AIza)[-_]?[\w-]{16,}/g,
  /\bBearer\s+[\w.~+/=-]{8,}/gi,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/g,
];

export const MARK = '[removed]';

/** The keys of a request, from the headers that carry them. */
export function keysOf(headers: Readonly<Record<string, string | string[] | undefined>>): string[] {
  const values = [headers.authorization, headers['x-api-key'], headers['api-key'], headers['x-goog-api-key'], headers.cookie].flat();
  return values.flatMap((value) => (value === undefined ? [] : [value, value.replace(/^Bearer\s+/i, '')])).filter((value) => value.length >= 6);
}

/** In a body as it went over the wire; in a stream also where a secret is spread over several events. */
export function removeSecrets(text: string, secrets: readonly string[]): string {
  const isStream = /^(event|data|id|retry)?:/m.test(text) && text.includes('data:');
  return mask(isStream ? maskEvents(text, secrets) : text, secrets);
}

function mask(text: string, secrets: readonly string[]): string {
  let out = text;
  for (const secret of secrets) {
    out = out.replaceAll(secret, MARK);
    // As it stands inside JSON text.
    const escaped = JSON.stringify(secret).slice(1, -1);
    if (escaped !== secret) out = out.replaceAll(escaped, MARK);
  }
  for (const pattern of lookalikes) out = out.replaceAll(pattern, MARK);
  return out;
}

/** A string somewhere in an event, and how to replace it. */
interface Piece {
  text: string;
  set(text: string): void;
}

/** Joins what stands at the same place of successive events (the deltas of one text) and masks it there. Events without a find keep their bytes. */
function maskEvents(text: string, secrets: readonly string[]): string {
  const lines = text.split('\n');
  const changed = new Map<number, unknown>();
  const tracks = new Map<string, Piece[]>();
  for (const [index, line] of lines.entries()) {
    const event = line.startsWith('data:') ? jsonOrText(line.slice(5)) : undefined;
    if (typeof event !== 'object' || event === null) continue;
    collect(event as Record<string, unknown>, '', tracks, () => changed.set(index, event));
  }
  for (const pieces of tracks.values()) maskTrack(pieces, secrets);
  for (const [index, event] of changed) lines[index] = `data: ${JSON.stringify(event)}`;
  return lines.join('\n');
}

function collect(value: Record<string, unknown>, path: string, tracks: Map<string, Piece[]>, touched: () => void): void {
  for (const [key, part] of Object.entries(value)) {
    const at = `${path}.${key}`;
    if (typeof part === 'object' && part !== null) collect(part as Record<string, unknown>, at, tracks, touched);
    if (typeof part !== 'string') continue;
    const track = tracks.get(at) ?? [];
    tracks.set(at, track);
    track.push({ text: part, set: (text) => { value[key] = text; touched(); } });
  }
}

/** Each find is marked in the piece where it begins and taken out of those in which it goes on. */
function maskTrack(pieces: Piece[], secrets: readonly string[]): void {
  const whole = pieces.map((piece) => piece.text).join('');
  const finds = findsIn(whole, secrets);
  if (finds.length === 0) return;
  let start = 0;
  for (const piece of pieces) {
    const end = start + piece.text.length;
    let out = '';
    for (let at = start; at < end; at += 1) {
      const find = finds.find(([from, to]) => at >= from && at < to);
      if (find === undefined) out += whole[at];
      else if (at === find[0]) out += MARK;
    }
    if (out !== piece.text) piece.set(out);
    start = end;
  }
}

function findsIn(text: string, secrets: readonly string[]): [number, number][] {
  const finds: [number, number][] = [];
  const add = (from: number, length: number): void => {
    if (length > 0 && !finds.some(([start, end]) => from < end && from + length > start)) finds.push([from, from + length]);
  };
  for (const secret of secrets) for (let at = text.indexOf(secret); at >= 0 && secret !== ''; at = text.indexOf(secret, at + 1)) add(at, secret.length);
  for (const pattern of lookalikes) for (const match of text.matchAll(pattern)) add(match.index, match[0].length);
  return finds;
}
