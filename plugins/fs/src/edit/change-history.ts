/** What files held before the changes of this process, so that a change can be taken back. Bounded; the oldest go first. */
import { randomUUID } from 'node:crypto';

const maxBytes = 64 * 1024 * 1024;
const maxChanges = 10_000;

/** In the changed content, what to put back where. */
export interface Reversal {
  start: number;
  end: number;
  bytes: Buffer;
}

export interface Change {
  path: string;
  /** The content before; or, of a change in few places, the way back; or `created`. */
  undo: { kind: 'whole'; before: Buffer } | { kind: 'pieces'; reversals: readonly Reversal[] } | { kind: 'created' };
}

export class ChangeHistory {
  private readonly changes = new Map<string, Change>();
  private bytes = 0;

  /** Returns the id under which the change can be taken back. */
  keep(change: Change): string {
    const id = randomUUID();
    this.changes.set(id, change);
    this.bytes += weight(change);
    for (const [oldest, kept] of this.changes) {
      if ((this.bytes <= maxBytes && this.changes.size <= maxChanges) || oldest === id) break;
      this.changes.delete(oldest);
      this.bytes -= weight(kept);
    }
    return id;
  }

  get(id: string): Change | undefined {
    return this.changes.get(id);
  }
}

function weight({ undo }: Change): number {
  if (undo.kind === 'whole') return undo.before.length;
  return undo.kind === 'created' ? 0 : undo.reversals.reduce((sum, { bytes }) => sum + bytes.length + 64, 0);
}
