/** Stored answers: for a session in memory, for good as JSON lines in the state folder, each bound to the workspace it was given in. */
import { randomBytes } from 'node:crypto';
import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError } from '../errors.js';
import { withFileLock } from './file-lock.js';
import { type StoredGrant, foldGrants, formatGrant, formatRevocation } from './grant-records.js';
import type { GrantSource } from './permission-policy.js';
import type { AuditLog, GrantStore } from './ports.js';
import { appendWhole, makePrivateFolder, openPrivateFile, readRange, splitLines } from './private-file.js';
import { parseRule } from './rule.js';
import type { SourcedRule } from './rule-set.js';

export interface Grant extends StoredGrant {
  scope: 'session' | 'always';
}

export interface GrantStoreOptions {
  /** The workspace's real root, absolute: path patterns mean nothing elsewhere. */
  root: string;
  /** Gets a record of every grant before it counts, and of every revocation. */
  audit?: AuditLog;
}

export interface RevocableGrantStore extends GrantStore, GrantSource {
  /** All grants of this workspace, those of all sessions of this process included. */
  list(): Grant[];
  /** Resolves with false when there is no such grant. */
  revoke(id: string): Promise<boolean>;
  /** Why stored grants do not count, when they do not. */
  problem(): string | undefined;
}

/** `folder` is the state folder; it must lie outside the workspace. Without it, "always" lasts as long as the process. */
export function createGrantStore(folder: string | undefined, { root, audit }: GrantStoreOptions): RevocableGrantStore {
  return new Store(folder === undefined ? undefined : new GrantFile(folder, root), root, audit);
}

class Store implements RevocableGrantStore {
  private session: Grant[] = [];

  constructor(
    private readonly file: GrantFile | undefined,
    private readonly root: string,
    private readonly audit: AuditLog | undefined,
  ) {}

  async add(rules: readonly string[], scope: 'session' | 'always', sessionId: string): Promise<string[]> {
    const at = new Date().toISOString();
    const grants = rules.map((text) => ({ id: `g${randomBytes(5).toString('hex')}`, rule: parseRule(text).text, root: this.root, sessionId, at, scope }));
    await this.audit?.append({ event: 'grant_added', at, sessionId, scope, root: this.root, grants: grants.map(({ id, rule }) => ({ id, rule })) });
    if (scope === 'always' && this.file) await this.file.append(grants.map(formatGrant).join(''));
    else this.session.push(...grants);
    return grants.map(({ id }) => id);
  }

  async revoke(id: string): Promise<boolean> {
    const grant = this.list().find((candidate) => candidate.id === id);
    if (!grant) return false;
    if (this.session.includes(grant)) this.session = this.session.filter((candidate) => candidate !== grant);
    else await this.file?.append(formatRevocation(id));
    await this.audit?.append({ event: 'grant_revoked', at: new Date().toISOString(), sessionId: grant.sessionId, id, rule: grant.rule, root: this.root });
    return true;
  }

  list(): Grant[] {
    return [...this.stored(), ...this.session];
  }

  current(sessionId: string): readonly SourcedRule[] {
    const session = this.session.filter((grant) => grant.scope === 'always' || grant.sessionId === sessionId);
    return [...this.stored(), ...session].map(({ rule, id, scope }) => ({
      verdict: 'allow',
      rule: parseRule(rule),
      source: { kind: scope === 'session' ? 'session' : 'grant', where: id },
    }));
  }

  problem(): string | undefined {
    return this.file?.read().problem;
  }

  private stored(): Grant[] {
    const { grants, problem } = this.file?.read() ?? { grants: [], problem: undefined };
    return problem === undefined ? grants.map((grant) => ({ ...grant, scope: 'always' })) : [];
  }
}

class GrantFile {
  private readonly path: string;
  private seen = '';
  private content: { grants: StoredGrant[]; problem?: string } = { grants: [] };

  constructor(
    private readonly folder: string,
    private readonly root: string,
  ) {
    this.path = join(folder, 'grants.jsonl');
  }

  /** Reads again only when another writer, or we, changed the file. */
  read(): { grants: StoredGrant[]; problem?: string } {
    try {
      return this.readNow();
    } catch (error) {
      return { grants: [], problem: `${this.path} cannot be read (${(error as Error).message}), so its grants do not count` };
    }
  }

  private readNow(): { grants: StoredGrant[]; problem?: string } {
    const stat = statSync(this.path, { throwIfNoEntry: false, bigint: true });
    const state = stat ? [stat.ino, stat.size, stat.mtimeNs, stat.mode, stat.uid].join(' ') : '';
    if (state === this.seen) return this.content;
    this.content = stat ? this.parse(Number(stat.mode), Number(stat.uid)) : { grants: [] };
    this.seen = state;
    return this.content;
  }

  private parse(mode: number, uid: number): { grants: StoredGrant[]; problem?: string } {
    if ((mode & 0o022) !== 0) return { grants: [], problem: `${this.path} can be written by others, so its grants do not count; chmod 600 it` };
    if (uid !== process.geteuid?.() && uid !== 0) return { grants: [], problem: `${this.path} belongs to another user, so its grants do not count` };
    const grants = foldGrants(splitLines(readFileSync(this.path)).lines.map((line) => line.toString('utf8')));
    if (typeof grants === 'string') return { grants: [], problem: `${this.path}: ${grants}, so its grants do not count; mend it or move it away` };
    return { grants: grants.filter((grant) => grant.root === this.root) };
  }

  async append(text: string): Promise<void> {
    makePrivateFolder(this.folder);
    await withFileLock(`${this.path}.lock`, () => {
      const { problem } = this.read();
      if (problem !== undefined) throw new SetupError(problem);
      const fd = openPrivateFile(this.path, true);
      try {
        const size = withoutTorn(fd);
        appendWhole(fd, text, size);
        fdatasyncSync(fd);
      } finally {
        closeSync(fd);
      }
    });
  }
}

/** Cuts off what a killed process left of a record that it never acknowledged. */
function withoutTorn(fd: number): number {
  const { size } = fstatSync(fd);
  const { torn } = splitLines(readRange(fd, 0, size));
  if (torn > 0) ftruncateSync(fd, size - torn);
  return size - torn;
}
