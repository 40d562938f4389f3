/** A conversation kept in a file: what was said before is folded from it, what happens is appended to it. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AgentEngine } from '../engine/engine.js';
import { appendMessages, replaceMessages } from '../message-list.js';
import type { Message, Usage } from '../messages.js';
import type { AgentSession, RunBegin, RunEnd, UnfinishedRun } from './agent-session.js';
import { type FoldedSession, foldSession } from './fold-session.js';
import { Journal, readBlob } from './journal.js';
import { JournalEngine } from './journal-engine.js';
import { type SessionHeader, formatVersion } from './records.js';
import type { RunRecords } from './run-records.js';
import { SessionError } from './session-error.js';
import { type LineProblem, SessionFile, readLines } from './session-file.js';
import { SessionLock } from './session-lock.js';
import { syncFolder } from './sync-folder.js';

export interface SessionPaths {
  file: string;
  lock: string;
  blobs: string;
}

export function sessionPaths(folder: string, id: string): SessionPaths {
  return { file: join(folder, `${id}.jsonl`), lock: join(folder, `${id}.lock`), blobs: join(folder, `${id}.blobs`) };
}

/** Reads a session without taking its lock. */
export function readSession(paths: SessionPaths): { folded: FoldedSession; problems: LineProblem[] } {
  const { records, problems } = readLines(paths.file);
  const folded = foldSession(records, (ref) => {
    const value = readBlob(paths.blobs, ref);
    if (value === undefined) problems.push({ line: 0, reason: `the stored value ${ref.slice(0, 12)}… is missing or damaged` });
    return value;
  });
  if (folded.header !== undefined && folded.header.v > formatVersion) {
    throw new SessionError('session_unreadable', `${paths.file} was written by a newer version (format ${folded.header.v}, this one reads ${formatVersion}).`);
  }
  return { folded, problems };
}

export class FileSession implements AgentSession {
  readonly id: string;
  readonly messages: Message[];
  readonly engine: AgentEngine;
  /** Lines that could not be read when the session was opened. */
  readonly problems: readonly LineProblem[];
  /** Tokens of all runs that were on record when the session was opened. */
  readonly usage: Usage;
  unfinished?: UnfinishedRun;
  private opened: { journal: Journal; lock: SessionLock } | undefined;
  private interrupted: FoldedSession['unfinished'];

  private constructor(
    private readonly header: SessionHeader,
    private readonly paths: SessionPaths,
    private readonly durable: boolean,
    folded: FoldedSession | undefined,
    problems: LineProblem[],
  ) {
    this.id = header.id;
    this.messages = folded?.messages ?? [];
    this.usage = folded?.usage ?? { input: 0, output: 0 };
    this.problems = problems;
    this.interrupted = folded?.unfinished;
    if (folded?.unfinished !== undefined) this.unfinished = folded.unfinished.run;
    this.engine = new JournalEngine({ journal: () => this.open().journal, records: (runId) => this.recordsOf(runId) });
  }

  /** A new session; its file appears with the first record, so that an unused one leaves nothing behind. */
  static create(header: SessionHeader, paths: SessionPaths, durable: boolean): FileSession {
    return new FileSession(header, paths, durable, undefined, []);
  }

  /** Locks the session, then reads it. Throws a SessionError when another process has it. */
  static load(id: string, paths: SessionPaths, durable: boolean): FileSession {
    const lock = SessionLock.acquire(paths.lock, id);
    try {
      const { folded, problems } = readSession(paths);
      const header = folded.header ?? { t: 'session', v: formatVersion, id, at: new Date().toISOString() };
      const session = new FileSession({ ...header, id }, paths, durable, folded, problems);
      session.opened = { lock, journal: new Journal(SessionFile.open(paths.file, durable), paths.blobs) };
      return session;
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  async beginRun(run: RunBegin): Promise<void> {
    const { journal } = this.open();
    this.giveUpUnfinished(journal);
    journal.append({ t: 'run', run: run.runId, at: now(), input: run.input, model: run.model });
    await journal.sync();
  }

  async endRun(end: RunEnd): Promise<void> {
    const { runId, ...rest } = end;
    this.interrupted = undefined;
    delete this.unfinished;
    const { journal } = this.open();
    journal.append({ t: 'end', run: runId, at: now(), ...rest });
    await journal.sync();
  }

  /** Puts messages of another conversation in front of the first run. */
  async adopt(messages: readonly Message[]): Promise<void> {
    const { journal } = this.open();
    journal.appendMessages(messages);
    appendMessages(this.messages, messages);
    await journal.sync();
  }

  async setTitle(title: string): Promise<void> {
    const { journal } = this.open();
    journal.append({ t: 'title', title });
    await journal.sync();
  }

  async close(): Promise<void> {
    const { opened } = this;
    this.opened = undefined;
    if (opened === undefined) return;
    try {
      await opened.journal.close();
    } finally {
      opened.lock.release();
    }
  }

  private open(): { journal: Journal; lock: SessionLock } {
    if (this.opened !== undefined) return this.opened;
    const lock = SessionLock.acquire(this.paths.lock, this.id);
    try {
      const isNew = !existsSync(this.paths.file);
      const file = isNew ? SessionFile.create(this.paths.file, this.durable) : SessionFile.open(this.paths.file, this.durable);
      if (isNew) file.append(this.header);
      if (isNew && this.durable) syncFolder(dirname(this.paths.file));
      this.opened = { lock, journal: new Journal(file, this.paths.blobs) };
      return this.opened;
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  private recordsOf(runId: string): RunRecords | undefined {
    return this.interrupted?.run.runId === runId ? this.interrupted.records : undefined;
  }

  /** A new prompt instead of a resume: what was interrupted stays in the conversation, each call with an explicit result. */
  private giveUpUnfinished(journal: Journal): void {
    if (this.interrupted === undefined) return;
    const { run, messages } = this.interrupted;
    journal.append({ t: 'closed', run: run.runId, at: now() });
    replaceMessages(this.messages, messages);
    this.interrupted = undefined;
    delete this.unfinished;
  }
}

function now(): string {
  return new Date().toISOString();
}
