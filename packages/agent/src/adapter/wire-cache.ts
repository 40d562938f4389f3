/** Keeps what was made from an immutable value (a message, a set of tools), so that a long history is not built again at each turn. */
export class WireCache<K extends object, V> {
  private readonly kept = new WeakMap<K, { variant: string; value: V }>();

  /** The kept form of `key` when it was made for the same `variant`, else a new one. */
  get(key: K, variant: string, make: () => V): V {
    const found = this.kept.get(key);
    if (found !== undefined && found.variant === variant) return found.value;
    const value = make();
    this.kept.set(key, { variant, value });
    return value;
  }
}
