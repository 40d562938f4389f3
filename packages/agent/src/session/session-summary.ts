/** One line about a session, read from the first part of its file only, so that a list of thousands is quick. */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { forgetLastStat } from '@haft/core';
import { wholeSlice } from '../context/whole-slice.js';
import type { UserMessage } from '../messages.js';
import { parseRecord } from './records.js';

export interface SessionSummary {
  id: string;
  /** Given by the user, else the beginning of the first prompt; empty when neither could be read. */
  title: string;
  /** ISO 8601; absent when the head of the file is damaged. */
  createdAt?: string;
  updatedMs: number;
  bytes: number;
  cwd?: string;
  /** `provider:model` of the first run. */
  model?: string;
  from?: string;
}

const HEAD_BYTES = 64 * 1024;
const TITLE_CHARS = 80;

/** Undefined when it is gone, or no file; a file that cannot be read is listed without its title. */
export function summarise(path: string, id: string): SessionSummary | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() !== true) {
    forgetLastStat();
    return undefined;
  }
  const summary: SessionSummary = { id, title: '', updatedMs: stat.mtimeMs, bytes: stat.size };
  for (const line of headOf(path).split('\n')) {
    const parsed = parseRecord(line);
    if (!('record' in parsed)) continue;
    const { record } = parsed;
    if (record.t === 'session') {
      summary.createdAt = record.at;
      if (record.cwd !== undefined) summary.cwd = record.cwd;
      if (record.title !== undefined) summary.title = record.title;
      if (record.from !== undefined) summary.from = record.from;
    }
    if (record.t === 'title') summary.title = record.title;
    if (record.t === 'run') {
      summary.model ??= record.model;
      if (summary.title === '') summary.title = titleOf(wordsOf(record.input.content));
    }
  }
  return summary;
}

/** What the user wrote; files that came with it are parts of their own, behind it. */
function wordsOf(content: UserMessage['content']): string {
  return content.find((part) => part.type === 'text')?.text ?? '';
}

function titleOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= TITLE_CHARS ? line : `${wholeSlice(line, 0, TITLE_CHARS - 1)}…`;
}

function headOf(path: string): string {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch {
    // Deleted meanwhile, or another user's: the list goes on without its text.
    return '';
  }
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    return head.toString('utf8', 0, readSync(fd, head, 0, HEAD_BYTES, 0));
  } finally {
    closeSync(fd);
  }
}
