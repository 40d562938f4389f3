/** A clock for dispatchers under test: nobody waits, and what would have been waited is on record. */
import type { CallClock } from '../call/call-ports.js';

export interface FakeClock extends CallClock {
  /** Milliseconds of every sleep so far. */
  readonly slept: number[];
  /** Moves the time on; milliseconds. */
  advance(ms: number): void;
}

/** Starts at 0. `random` always gives `chance`: with 1 every backoff has its full length. */
export function fakeClock(chance = 1): FakeClock {
  let time = 0;
  const slept: number[] = [];
  const advance = (ms: number) => void (time += ms);
  return {
    slept,
    advance,
    now: () => time,
    random: () => chance,
    sleep: (ms) => {
      slept.push(ms);
      advance(ms);
      return Promise.resolve();
    },
  };
}
