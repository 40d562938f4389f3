/** A time limit that stands still while somebody else has to act. */
export class Countdown {
  private left: number;
  private startedAt = 0;
  private holds = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    ms: number,
    private readonly over: () => void,
  ) {
    this.left = ms;
    this.start();
  }

  /** Holds add up; the time goes on when each is released. */
  hold(): void {
    this.holds += 1;
    if (this.holds > 1) return;
    clearTimeout(this.timer);
    this.left = Math.max(0, this.left - (performance.now() - this.startedAt));
  }

  release(): void {
    this.holds -= 1;
    if (this.holds === 0) this.start();
  }

  stop(): void {
    this.holds = Number.POSITIVE_INFINITY;
    clearTimeout(this.timer);
  }

  private start(): void {
    this.startedAt = performance.now();
    this.timer = setTimeout(this.over, this.left);
  }
}
