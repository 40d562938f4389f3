/** Lets at most `width` pieces of work run at once, in the order they came. */
export class Lanes {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(width: number) {
    this.free = width;
  }

  async run(work: () => Promise<void>): Promise<void> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free += 1;
      else next();
    }
  }
}
