/** What files held before the changes of this process, so that a change can be taken back. Bounded; the oldest go first. */
import { randomUUID } from 'node:crypto';

const maxBytes = 128 * 1024 * 1024;

export interface Change {
  path: string;
  /** The content before; absent when the file did not exist. */
  before?: Buffer;
}

export class ChangeHistory {
  private readonly changes = new Map<string, Change>();
  private bytes = 0;

  /** Returns the id under which the change can be taken back. */
  keep(change: Change): string {
    const id = randomUUID();
    this.changes.set(id, change);
    this.bytes += change.before?.length ?? 0;
    for (const [oldest, { before }] of this.changes) {
      if (this.bytes <= maxBytes || oldest === id) break;
      this.changes.delete(oldest);
      this.bytes -= before?.length ?? 0;
    }
    return id;
  }

  get(id: string): Change | undefined {
    return this.changes.get(id);
  }
}
