/** Remembers, for each session, what each file held when the session last saw it, so that a write can tell whether it changed since. */
const most = 20_000;

export class ReadLedger {
  private readonly seen = new Map<string, string>();

  note(sessionId: string, absolute: string, fingerprint: string): void {
    const key = `${sessionId}\0${absolute}`;
    this.seen.delete(key);
    this.seen.set(key, fingerprint);
    if (this.seen.size > most) this.seen.delete(this.seen.keys().next().value ?? '');
  }

  get(sessionId: string, absolute: string): string | undefined {
    return this.seen.get(`${sessionId}\0${absolute}`);
  }
}
