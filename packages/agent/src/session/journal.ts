/** Writes the records of a session, large values apart: the one place that knows both the file and the folder of blobs. */
import { createHash } from 'node:crypto';
import { closeSync, fdatasyncSync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Message } from '../messages.js';
import { readRegular } from './read-regular.js';
import type { SessionFile } from './session-file.js';
import type { SessionRecord } from './records.js';
import { syncFolder } from './sync-folder.js';

/** Characters of JSON above which a step's value is stored apart, so that one line stays readable. */
const LARGE = 256 * 1024;
/** Messages in one write of a fork. */
const BATCH = 1_000;

export class Journal {
  constructor(
    private readonly file: SessionFile,
    private readonly blobs: string,
  ) {}

  append(record: SessionRecord): void {
    this.file.append(record);
  }

  appendMessages(messages: readonly Message[]): void {
    const records = messages.map((message): SessionRecord => ({ t: 'message', message }));
    for (let start = 0; start < records.length; start += BATCH) this.file.append(...records.slice(start, start + BATCH));
  }

  appendStep(run: string, key: string, value: unknown): void {
    const text = JSON.stringify(value) ?? 'null';
    if (text.length <= LARGE) this.file.append({ t: 'step', run, key, value: value as never });
    else this.file.append({ t: 'step', run, key, ref: writeBlob(this.blobs, text) });
  }

  sync(): Promise<void> {
    return this.file.sync();
  }

  async close(): Promise<void> {
    await this.file.sync();
    this.file.close();
  }
}

/** Stores text under its hash, whole or not at all; on the disk before the record that names it. */
function writeBlob(folder: string, text: string): string {
  const ref = createHash('sha256').update(text).digest('hex');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const part = join(folder, `${ref}.part`);
  writeFileSync(part, text, { mode: 0o600 });
  const fd = openSync(part, 'r');
  fdatasyncSync(fd);
  closeSync(fd);
  renameSync(part, join(folder, ref));
  syncFolder(folder);
  return ref;
}

/** The value, or undefined when the blob is missing or not what was written. */
export function readBlob(folder: string, ref: string): unknown {
  if (!/^[0-9a-f]{64}$/.test(ref)) return undefined;
  let text: string;
  try {
    text = readRegular(join(folder, ref)).toString('utf8');
  } catch {
    return undefined;
  }
  return createHash('sha256').update(text).digest('hex') === ref ? JSON.parse(text) : undefined;
}
