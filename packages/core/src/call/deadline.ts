/**
 * Time-outs for running calls, cheap enough for every call: all calls with the same duration share one timer, because they run
 * out in the order in which they started.
 */
interface Deadline {
  readonly due: number;
  readonly expire: () => void;
}

const maxTimerMs = 2 ** 31 - 1;

class DeadlineQueue {
  readonly #waiting = new Set<Deadline>();
  #timer: NodeJS.Timeout | undefined;
  #idle = false;

  constructor(private readonly durationMs: number) {}

  add(expire: () => void): Deadline {
    const deadline = { due: performance.now() + this.durationMs, expire };
    this.#waiting.add(deadline);
    if (!this.#timer) this.#arm(this.durationMs);
    else if (this.#idle) this.#timer.ref();
    this.#idle = false;
    return deadline;
  }

  /** A timer that nobody waits for is left to run out, but does not keep the process alive. */
  remove(deadline: Deadline): void {
    this.#waiting.delete(deadline);
    if (this.#waiting.size > 0 || this.#idle) return;
    this.#idle = true;
    this.#timer?.unref();
  }

  #arm(delayMs: number): void {
    this.#timer = setTimeout(() => this.#tick(), delayMs);
  }

  #tick(): void {
    const now = performance.now();
    this.#timer = undefined;
    for (const deadline of this.#waiting) {
      if (deadline.due > now) return this.#arm(Math.max(1, deadline.due - now));
      this.#waiting.delete(deadline);
      deadline.expire();
    }
    if (!this.#timer) queues.delete(this.durationMs);
  }
}

const queues = new Map<number, DeadlineQueue>();

/** Calls `expire` after `durationMs` unless the returned function is called before. Durations that no timer can hold never expire. */
export function startDeadline(durationMs: number, expire: () => void): () => void {
  if (durationMs > maxTimerMs) return () => undefined;
  const rounded = Math.max(1, Math.ceil(durationMs));
  let queue = queues.get(rounded);
  if (!queue) queues.set(rounded, (queue = new DeadlineQueue(rounded)));
  const entered = queue;
  const deadline = entered.add(expire);
  return () => entered.remove(deadline);
}

/** Resolves when `end` does, or after `ms` milliseconds at the latest. `end` must not reject. */
export async function settledWithin(end: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([end, limit]);
  clearTimeout(timer);
}
