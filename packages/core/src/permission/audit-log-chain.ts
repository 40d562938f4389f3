/** The chain of an audit log as pure functions: a record to a line, a line checked against the one before, the anchor kept apart. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AuditRecord } from './ports.js';

/** Where a chain stands: how many lines, how many bytes, and the last line's code (hex; of nothing, 64 zeros). */
export interface ChainHead {
  count: number;
  bytes: number;
  mac: string;
}

export const emptyHead: ChainHead = { count: 0, bytes: 0, mac: '0'.repeat(64) };

const linePattern = /^(\{"seq":(\d{1,15}),.*),"mac":"([0-9a-f]{64})"\}$/s;
const anchorPattern = /^\{"count":(\d{1,15}),"bytes":(\d{1,15}),"head":"([0-9a-f]{64})","mac":/;

/** One line with its line end. Control, bidirectional and invisible characters are escaped, so a line is one line in any reader. */
export function formatLine(record: AuditRecord, head: ChainHead, key: Buffer): { line: string; head: ChainHead } {
  const body = `{"seq":${head.count + 1},${escapeInvisible(JSON.stringify(record)).slice(1, -1)}`;
  const mac = sign(key, head.mac, body);
  const line = `${body},"mac":"${mac}"}\n`;
  return { line, head: { count: head.count + 1, bytes: head.bytes + Buffer.byteLength(line), mac } };
}

/** The head after this line (given without its line end), or what is wrong with it. */
export function checkLine(line: Buffer, head: ChainHead, key: Buffer): ChainHead | string {
  const text = line.toString('utf8');
  const parts = linePattern.exec(text);
  if (!parts || Buffer.byteLength(text) !== line.length) return 'is not an audit line';
  const [, body = '', seq = '', mac = ''] = parts;
  if (Number(seq) !== head.count + 1) return `has number ${seq} where ${head.count + 1} belongs`;
  if (!equal(sign(key, head.mac, body), mac)) return 'was changed, or does not follow the line before it';
  return { count: head.count + 1, bytes: head.bytes + line.length + 1, mac };
}

/** Always the same length, so that it can be overwritten in place by one write. */
export const anchorBytes = 256;

export function formatAnchor(head: ChainHead, key: Buffer): string {
  const body = `{"count":${head.count},"bytes":${head.bytes},"head":"${head.mac}"`;
  const text = `${body},"mac":"${sign(key, 'anchor', body)}"}\n`;
  return text.padEnd(anchorBytes);
}

/** The head that an anchor file states; undefined when it is damaged or signed with another key. */
export function parseAnchor(text: string, key: Buffer): ChainHead | undefined {
  const parts = anchorPattern.exec(text);
  if (!parts) return undefined;
  const [, count, bytes, mac = ''] = parts;
  const head = { count: Number(count), bytes: Number(bytes), mac };
  return equal(formatAnchor(head, key), text) ? head : undefined;
}

function sign(key: Buffer, before: string, body: string): string {
  return createHmac('sha256', key).update(before).update('\n').update(body).digest('hex');
}

function equal(left: string, right: string): boolean {
  return left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));
}

function escapeInvisible(json: string): string {
  return json.replace(/[\u007f-\u009f\p{Cf}\u2028\u2029\p{Cs}]/gu, (char) =>
    char.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  );
}
