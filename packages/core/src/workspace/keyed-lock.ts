/** One holder at a time for each key, in the order of asking. */
export class KeyedLock {
  private readonly tails = new Map<string, Promise<void>>();

  /** Runs `work` when all earlier holders of `key` are done; passes its result or error on. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.tails.get(key) ?? Promise.resolve();
    const result = before.then(work);
    const settled = result.then(() => undefined, () => undefined);
    this.tails.set(key, settled);
    try {
      return await result;
    } finally {
      if (this.tails.get(key) === settled) this.tails.delete(key);
    }
  }
}
