/** The sessions of a user: a folder of append-only files, private to that user. */
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '../ids.js';
import type { Message, Usage } from '../messages.js';
import { type ExportFormat, exportText } from './export-session.js';
import { FileSession, readSession, sessionPaths } from './file-session.js';
import { formatVersion } from './records.js';
import { type SearchHit, searchText } from './search-session.js';
import { SessionError } from './session-error.js';
import { type LineProblem, bytesOf } from './session-file.js';
import { SessionLock } from './session-lock.js';
import { type SessionSummary, summarise } from './session-summary.js';

export interface SessionStoreOptions {
  /** False: no fdatasync, safe against the death of the process only. Default true. */
  durable?: boolean;
}

export interface StoredSession {
  id: string;
  /** Everything that was said, also what the model is no longer told. */
  messages: readonly Message[];
  usage: Usage;
  cost?: number;
  /** Whether its last run was interrupted and can be resumed. */
  unfinished: boolean;
  problems: readonly LineProblem[];
}

export class SessionStore {
  private readonly durable: boolean;

  private constructor(
    readonly folder: string,
    options: SessionStoreOptions,
  ) {
    this.durable = options.durable ?? true;
  }

  /** `folder` is made when missing, and made private (0700). */
  static open(folder: string, options: SessionStoreOptions = {}): SessionStore {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if ((statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700);
    return new SessionStore(folder, options);
  }

  /** A new session for `AgentOptions.session`. Throws `session_exists` or `invalid_session_id` for a bad `id`. */
  create(options: { id?: string; cwd?: string; title?: string } = {}): FileSession {
    return this.make(options.id ?? newId('s'), options);
  }

  /** Opens a session for going on with it, locked against other processes. Throws a SessionError. */
  load(id: string): FileSession {
    return FileSession.load(id, this.existing(id), this.durable);
  }

  /** Whether there is a session with this id. Throws `invalid_session_id`. */
  has(id: string): boolean {
    return existsSync(sessionPaths(this.folder, checkedId(id)).file);
  }

  /** Reads a session without locking it. */
  read(id: string): StoredSession {
    const { folded, problems } = readSession(this.existing(id));
    return { id, messages: folded.transcript, usage: folded.usage, unfinished: folded.unfinished !== undefined, problems, ...(folded.cost === undefined ? {} : { cost: folded.cost }) };
  }

  /** Newest first. */
  list(): SessionSummary[] {
    const names = readdirSync(this.folder).filter((name) => name.endsWith('.jsonl'));
    const summaries = names.flatMap((name) => summarise(join(this.folder, name), name.slice(0, -'.jsonl'.length)) ?? []);
    return summaries.sort((a, b) => b.updatedMs - a.updatedMs || (a.id < b.id ? -1 : 1));
  }

  /** The session that was used last, in `cwd` when given. */
  latest(cwd?: string): SessionSummary | undefined {
    return this.list().find((session) => cwd === undefined || session.cwd === cwd);
  }

  /** A new session with the conversation of another, up to and without message `upTo` (default: all). The old one stays as it is. */
  async fork(id: string, options: { upTo?: number; title?: string; cwd?: string } = {}): Promise<FileSession> {
    const { folded } = readSession(this.existing(id));
    const messages = options.upTo === undefined ? (folded.unfinished?.messages ?? folded.messages) : folded.transcript;
    const session = this.make(newId('s'), { ...options, from: id });
    await session.adopt(messages.slice(0, options.upTo));
    return session;
  }

  /** Deletes a session. Refused while a process uses it. */
  remove(id: string): void {
    const paths = this.existing(id);
    if (SessionLock.isHeld(paths.lock)) throw new SessionError('session_locked', `Session ${id} is in use; end that process first.`);
    for (const path of [paths.blobs, paths.file, paths.lock]) rmSync(path, { recursive: true, force: true });
  }

  /** The conversation as a text: `markdown` to read, `json` to process, `jsonl` as it is stored. */
  export(id: string, format: ExportFormat): string {
    if (format === 'jsonl') return bytesOf(this.existing(id).file).toString('utf8');
    return exportText(this.read(id), format);
  }

  /** Messages that hold `text`, newest session first; upper and lower case are the same. */
  search(text: string, limit = 50): SearchHit[] {
    const hits: SearchHit[] = [];
    for (const { id } of this.list()) {
      if (hits.length >= limit) break;
      hits.push(...searchText(id, this.readable(id), text, limit - hits.length));
    }
    return hits;
  }

  /** A search goes on without the sessions that cannot be read. */
  private readable(id: string): readonly Message[] {
    try {
      return this.read(id).messages;
    } catch (error) {
      if (error instanceof SessionError) return [];
      throw error;
    }
  }

  private make(id: string, more: { cwd?: string; title?: string; from?: string }): FileSession {
    const paths = sessionPaths(this.folder, checkedId(id));
    if (existsSync(paths.file)) throw new SessionError('session_exists', `There is a session ${id} already.`);
    const { cwd, title, from } = more;
    const optional = { ...(cwd === undefined ? {} : { cwd }), ...(title === undefined ? {} : { title }), ...(from === undefined ? {} : { from }) };
    return FileSession.create({ t: 'session', v: formatVersion, id, at: new Date().toISOString(), ...optional }, paths, this.durable);
  }

  private existing(id: string): ReturnType<typeof sessionPaths> {
    const paths = sessionPaths(this.folder, checkedId(id));
    if (!existsSync(paths.file)) throw new SessionError('session_not_found', `There is no session ${id} in ${this.folder}.`);
    return paths;
  }
}

/** An id is part of a file's name: letters, digits, `-` and `_` only, so that it can name nothing outside the folder. */
function checkedId(id: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(id)) return id;
  throw new SessionError('invalid_session_id', `${JSON.stringify(id)} is no session id: use 1 to 64 letters, digits, "-" and "_".`);
}
