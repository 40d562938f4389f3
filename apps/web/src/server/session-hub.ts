/** The open sessions of this server. A stored one is opened when it is first used and closed again when it has long been idle. */
import { type AgentSession, SessionError } from '@haft/agent';
import { LiveSession } from './live-session.js';
import { WebError } from './web-error.js';
import type { WebHost, WebLimits } from './web-host.js';

export class SessionHub {
  readonly #live = new Map<string, LiveSession>();
  readonly #sweep: NodeJS.Timeout;

  constructor(
    private readonly host: WebHost,
    private readonly limits: WebLimits,
  ) {
    this.#sweep = setInterval(() => this.#closeIdle(), limits.idleMs / 4);
    this.#sweep.unref();
  }

  create(): LiveSession {
    return this.#open(() => this.host.sessions.create({ cwd: this.host.root }));
  }

  /** Opens a stored session, or gives the open one. Throws 404, or 409 while another process has it. */
  get(id: string): LiveSession {
    const live = this.#live.get(id) ?? this.#open(() => {
      this.checkFolder(id);
      return this.host.sessions.load(id);
    });
    live.lastUsed = Date.now();
    return live;
  }

  /** For clients that make their own ids. */
  getOrCreate(id: string): LiveSession {
    const known = this.#live.has(id) || asWebError(() => this.host.sessions.has(id));
    return known ? this.get(id) : this.#open(() => this.host.sessions.create({ id, cwd: this.host.root }));
  }

  /** Sessions of another folder are not gone on with here: their paths would mean other files. Throws 404. */
  checkFolder(id: string): void {
    const other = this.host.sessions.list().find((session) => session.id === id && session.cwd !== undefined && session.cwd !== this.host.root);
    if (other) throw new WebError(404, 'session_not_found', `This session belongs to another folder, ${other.cwd}.`);
  }

  peek(id: string): LiveSession | undefined {
    return this.#live.get(id);
  }

  async remove(id: string): Promise<void> {
    const live = this.#live.get(id);
    this.#live.delete(id);
    await live?.close();
    // A session in which nothing was said yet has no file.
    if (live === undefined || this.host.sessions.has(id)) asWebError(() => this.host.sessions.remove(id));
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    const all = [...this.#live.values()];
    this.#live.clear();
    await Promise.all(all.map((session) => session.close()));
  }

  #open(make: () => AgentSession): LiveSession {
    this.#makeRoom();
    const live = new LiveSession(asWebError(make), this.host, this.limits);
    this.#live.set(live.id, live);
    return live;
  }

  #makeRoom(): void {
    if (this.#live.size < this.limits.maxSessions) return;
    const idle = [...this.#live.values()].filter((session) => session.isIdle).sort((a, b) => a.lastUsed - b.lastUsed)[0];
    if (!idle) throw new WebError(503, 'too_many_sessions', `${this.limits.maxSessions} sessions are at work already. Try again when one has ended.`);
    this.#release(idle);
  }

  #closeIdle(): void {
    const before = Date.now() - this.limits.idleMs;
    for (const session of this.#live.values()) if (session.isIdle && session.lastUsed < before) this.#release(session);
  }

  #release(session: LiveSession): void {
    this.#live.delete(session.id);
    session.close().catch((error: unknown) => this.host.log?.error('an idle session could not be closed', { sessionId: session.id, error: String(error) }));
  }
}

/** Session errors as HTTP. */
export function asWebError<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    if (error.code === 'session_not_found' || error.code === 'invalid_session_id') throw new WebError(404, 'session_not_found', 'There is no such session.');
    throw new WebError(error.code === 'session_locked' ? 409 : 500, error.code, error.message);
  }
}
