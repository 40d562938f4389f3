/**
 * The one policy for readers who go away: while nobody listens to a running session, no new tool call starts; after the grace
 * time the run is stopped. A run that was sent with `detach` goes on, for its own longer time.
 */
export class Presence {
  #listeners = 0;
  #isRunning = false;
  #isDetached = false;
  #timer: NodeJS.Timeout | undefined;
  readonly #waiting = new Set<() => void>();

  constructor(
    private readonly times: { graceMs: number; detachedMs: number },
    private readonly stop: () => void,
  ) {}

  get isWatched(): boolean {
    return this.#listeners > 0;
  }

  arrived(): void {
    this.#listeners += 1;
    clearTimeout(this.#timer);
    this.#release();
  }

  left(): void {
    this.#listeners -= 1;
    this.#watchClock();
  }

  runStarted(detached: boolean): void {
    this.#isRunning = true;
    this.#isDetached = detached;
    this.#watchClock();
  }

  runEnded(): void {
    this.#isRunning = false;
    clearTimeout(this.#timer);
    this.#release();
  }

  /** Resolves when a tool call may start: at once, or when somebody listens again, or when the run is stopped. */
  mayStart(signal: AbortSignal): Promise<void> {
    if (this.#listeners > 0 || this.#isDetached || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        this.#waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.#waiting.add(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  #release(): void {
    for (const done of this.#waiting) done();
  }

  #watchClock(): void {
    clearTimeout(this.#timer);
    if (this.#listeners > 0 || !this.#isRunning) return;
    this.#timer = setTimeout(this.stop, this.#isDetached ? this.times.detachedMs : this.times.graceMs);
    this.#timer.unref();
  }
}
