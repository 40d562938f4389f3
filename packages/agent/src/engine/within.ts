/** Runs work with an upper bound of time; what comes later is dropped. */
export async function within<T>(maxMs: number | undefined, work: () => Promise<T>): Promise<T> {
  if (maxMs === undefined) return work();
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
