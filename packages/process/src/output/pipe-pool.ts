/**
 * Real pipes for a child's output. Node's own are sockets, and what opens `/dev/stdout` or `/dev/stderr` fails on a socket.
 * A named pipe, unlinked as soon as both ends are open, is as good as pipe(2); they are made many at a time, since each making is a process.
 */
import { spawnSync } from 'node:child_process';
import { constants, mkdtempSync, openSync, rmSync, unlinkSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MAKE_PIPES = '/usr/bin/mkfifo';
/** A short run makes few; who runs many commands makes many at once. */
const FIRST_BATCH = 8;
const BATCH = 64;

export interface OutputPipe {
  /** Emits `close` when the last writer has closed. */
  reader: Socket;
  /** Give it to the child, then close it here. */
  writer: number;
}

export class PipePool {
  private folder: string | undefined;
  private ready: string[] = [];
  private made = 0;

  /** undefined where named pipes cannot be made: use Node's own. */
  take(): OutputPipe | undefined {
    if (this.ready.length === 0) this.make();
    const path = this.ready.pop();
    if (path === undefined) return undefined;
    try {
      // Opened for reading first and without waiting, so that opening for writing does not wait either.
      const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      const writer = openSync(path, constants.O_WRONLY);
      unlinkSync(path);
      return { reader: new Socket({ fd: reader, readable: true, writable: false }), writer };
    } catch {
      // Somebody cleaned the folder of temporary files: the next call makes a new one.
      this.dispose();
      return undefined;
    }
  }

  /** Where they are made; it exists from the first call on. */
  open(): string {
    this.folder ??= mkdtempSync(join(tmpdir(), 'haft-pipes-'));
    return this.folder;
  }

  dispose(): void {
    if (this.folder !== undefined) rmSync(this.folder, { recursive: true, force: true });
    this.folder = undefined;
    this.ready = [];
  }

  private make(): void {
    // Elsewhere it is not tested that reading them ends as it does for sockets.
    if (process.platform !== 'linux') return;
    const folder = this.open();
    const paths = Array.from({ length: this.made === 0 ? FIRST_BATCH : BATCH }, () => join(folder, String(this.made += 1)));
    const { status } = spawnSync(MAKE_PIPES, ['-m', '600', '--', ...paths], { stdio: 'ignore', env: {} });
    if (status === 0) this.ready = paths;
  }
}
