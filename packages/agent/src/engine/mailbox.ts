/** Values for `waitFor`, whichever comes first: the value or the wait. */
import type { Json } from '@haft/core';
import { WaitTimeout } from '../loop/approvals.js';

interface Waiting {
  deliver(value: Json): void;
}

export class Mailbox {
  private readonly values = new Map<string, Json>();
  private readonly waiting = new Map<string, Waiting>();

  /** The first value under a key counts; a second one is refused (false). */
  deliver(key: string, value: Json): boolean {
    if (this.values.has(key)) return false;
    this.values.set(key, value);
    this.waiting.get(key)?.deliver(value);
    return true;
  }

  /** Rejects with the abort's reason, or with a WaitTimeout. */
  take(key: string, signal: AbortSignal, timeoutMs: number | undefined): Promise<Json> {
    const ready = this.values.get(key);
    if (ready !== undefined) return Promise.resolve(ready);
    signal.throwIfAborted();
    return new Promise<Json>((resolve, reject) => {
      const settle = (end: () => void): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        this.waiting.delete(key);
        end();
      };
      const stop = (): void => settle(() => reject(signal.reason as Error));
      const timer = timeoutMs === undefined ? undefined : setTimeout(() => settle(() => reject(new WaitTimeout(`Nothing came for ${key} in ${timeoutMs} ms`))), timeoutMs);
      signal.addEventListener('abort', stop, { once: true });
      this.waiting.set(key, { deliver: (value) => settle(() => resolve(value)) });
    });
  }
}
