/** Many calls follow one signal: one listener per signal, however many calls run under it. */
const followers = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `listener` once when the signal aborts. Returns how to stop following. The signal must not be aborted yet. */
export function followAbort(signal: AbortSignal, listener: () => void): () => void {
  let set = followers.get(signal);
  if (!set) {
    set = new Set();
    followers.set(signal, set);
    signal.addEventListener('abort', () => abortAll(signal), { once: true });
  }
  const joined = set;
  joined.add(listener);
  return () => joined.delete(listener);
}

function abortAll(signal: AbortSignal): void {
  const set = followers.get(signal);
  followers.delete(signal);
  for (const listener of set ?? []) listener();
}
