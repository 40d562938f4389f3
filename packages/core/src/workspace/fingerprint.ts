/**
 * What a file's content was at one moment: a hash of all of it, or, over 1 MiB, of samples together with the system's change time, which no
 * program can set back.
 */
import { createHash } from 'node:crypto';
import { fstatSync, readSync } from 'node:fs';

const wholeUpTo = 1024 * 1024;
const sampleBytes = 4 * 1024;
const samples = 8;

/** Hash of a content held in memory, in the form that `fingerprintOf` gives for a file; undefined when it is too large for that. */
export function contentFingerprint(parts: readonly Uint8Array[]): string | undefined {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  if (size > wholeUpTo) return undefined;
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return `${size}:${hash.digest('base64url')}`;
}

/** Reads the opened file by position; its reading position stays. */
export function fingerprintOf(fd: number): string {
  const stats = fstatSync(fd, { bigint: true });
  const size = Number(stats.size);
  const hash = createHash('sha256');
  if (size <= wholeUpTo) {
    const buffer = Buffer.allocUnsafe(Math.min(Math.max(size, 1), 1024 * 1024));
    for (let at = 0, count = 1; count > 0; at += count) {
      count = readSync(fd, buffer, 0, buffer.length, at);
      hash.update(buffer.subarray(0, count));
    }
    return `${size}:${hash.digest('base64url')}`;
  }
  const buffer = Buffer.allocUnsafe(sampleBytes);
  for (let index = 0; index < samples; index++) {
    const at = Math.floor(((size - sampleBytes) * index) / (samples - 1));
    hash.update(buffer.subarray(0, readSync(fd, buffer, 0, sampleBytes, at)));
  }
  return `${size}:${stats.ino}:${stats.mtimeNs}:${stats.ctimeNs}:${hash.digest('base64url')}`;
}

/** Which file it is, and when and how large it was left, by the system's account. */
export function versionOf(fd: number): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = fstatSync(fd, { bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}
