/** Runs work with an upper bound of time, if there is one; what comes later is dropped. */
export function within<T>(maxMs: number | undefined, work: () => Promise<T>): Promise<T> {
  return maxMs === undefined ? work() : bounded(maxMs, work);
}

async function bounded<T>(maxMs: number, work: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`The step did not end in ${maxMs} ms`)), maxMs);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
