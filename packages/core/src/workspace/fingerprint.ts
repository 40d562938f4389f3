/**
 * What a file's content was at one moment: a hash of all of it, or, over 1 MiB, which file it is with the system's times, of which no program
 * can set the change time back. A file that changed a moment ago may change again within the same tick of the system's clock, so of such a
 * one samples are hashed, too.
 */
import { createHash } from 'node:crypto';
import { fstatSync, readSync } from 'node:fs';

const wholeUpTo = 1024 * 1024;
const sampleBytes = 4 * 1024;
const samples = 8;
/** Longer than a tick of the clock of a file system that keeps fractions of seconds, and of one that does not. */
const tickNs = 50_000_000n;
const coarseTickNs = 2_000_000_000n;

/** Hash of a content held in memory, in the form that `fingerprintOf` gives for a file; undefined when it is too large for that. */
export function contentFingerprint(parts: readonly Uint8Array[]): string | undefined {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  if (size > wholeUpTo) return undefined;
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return `${size}:${hash.digest('base64url')}`;
}

/**
 * Reads the opened file by position; its reading position stays. `earlier`: the one that this is to be compared with, which says whether
 * samples count.
 */
export function fingerprintOf(fd: number, earlier?: string): string {
  const stats = fstatSync(fd, { bigint: true });
  const size = Number(stats.size);
  if (size <= wholeUpTo) return `${size}:${hashOfAll(fd, size)}`;
  const state = `${size}:${stats.dev}:${stats.ino}:${stats.mtimeNs}:${stats.ctimeNs}`;
  const sampled = earlier === undefined ? changedJustNow(stats.ctimeNs) : earlier.includes('+');
  return sampled ? `${state}+${hashOfSamples(fd, size)}` : state;
}

function changedJustNow(ctimeNs: bigint): boolean {
  const tick = ctimeNs % 1_000_000_000n === 0n ? coarseTickNs : tickNs;
  return BigInt(Date.now()) * 1_000_000n - ctimeNs < tick;
}

function hashOfAll(fd: number, size: number): string {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(Math.max(size, 1));
  for (let at = 0, count = 1; count > 0; at += count) {
    count = readSync(fd, buffer, 0, buffer.length, at);
    hash.update(buffer.subarray(0, count));
  }
  return hash.digest('base64url');
}

function hashOfSamples(fd: number, size: number): string {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(sampleBytes);
  for (let index = 0; index < samples; index++) {
    const at = Math.floor(((size - sampleBytes) * index) / (samples - 1));
    hash.update(buffer.subarray(0, readSync(fd, buffer, 0, sampleBytes, at)));
  }
  return hash.digest('base64url');
}

/** Which file it is, and when and how large it was left, by the system's account. */
export function versionOf(fd: number): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = fstatSync(fd, { bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}
