/** One opened regular file of the workspace, read by position. */
import { closeSync, fstatSync, readSync } from 'node:fs';
import { fingerprintOf, versionOf } from './fingerprint.js';

export class WorkspaceFile {
  private closed = false;

  /**
   * Owns `fd` from now on. `relative` is the real path from the root, `absolute` the same in full, `sizeAtOpen` in bytes, `secretNames` other
   * names (hard links) of the file under which it usually holds secrets.
   */
  constructor(private readonly fd: number, readonly absolute: string, readonly relative: string, readonly sizeAtOpen: number, readonly secretNames: readonly string[] = []) {}

  /** Bytes now. */
  get size(): number {
    return fstatSync(this.fd).size;
  }

  /** Fills `buffer` from byte `position` on as far as the file goes; returns the number of bytes read, 0 at the end. */
  read(buffer: Uint8Array, position: number): number {
    let filled = 0;
    while (filled < buffer.length) {
      const count = readSync(this.fd, buffer, filled, buffer.length - filled, position + filled);
      if (count === 0) break;
      filled += count;
    }
    return filled;
  }

  /** The whole content. */
  readAll(): Buffer {
    const buffer = Buffer.allocUnsafe(this.size + 1);
    const count = this.read(buffer, 0);
    if (count < buffer.length) return buffer.subarray(0, count);
    const rest = Buffer.allocUnsafe(1024 * 1024);
    const parts = [buffer];
    for (let at = count, more = this.read(rest, at); more > 0; more = this.read(rest, at)) {
      parts.push(Buffer.from(rest.subarray(0, more)));
      at += more;
    }
    return Buffer.concat(parts);
  }

  /** Changes with every change of the file, and when another file takes its place. */
  version(): string {
    return versionOf(this.fd);
  }

  /** Says what the content is now (see fingerprint.ts). Made against an `earlier` one, it is equal to that where the content is as it was. */
  fingerprint(earlier?: string): string {
    return fingerprintOf(this.fd, earlier);
  }

  close(): void {
    if (!this.closed) closeSync(this.fd);
    this.closed = true;
  }
}
