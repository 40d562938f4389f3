// One turn of 64 calls that take 10 ms each: they must run together, and the turn must cost hardly more than one of them.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { haftParallel } from '../contestants/haft.mjs';
import { heavyContestants } from '../contestants/heavy.mjs';
import { parallelRuns } from '../contestants/parallel.mjs';

export async function parallelWorkload({ quick }) {
  const floor = async () => (await Promise.all(Array.from({ length: 64 }, () => sleep(10, 1)))).length;
  const runs = { floor, haft: await haftParallel(64, 10), ...(await parallelRuns(64, 10)) };
  const contestants = Object.entries(runs).map(([name, run]) => ({ name, run }));
  if (!quick) contestants.push(...heavyContestants('parallel', { count: 64, ms: 10 }));
  return { name: 'parallel calls', what: 'a turn of 64 calls of 10 ms', unit: 'µs', rounds: 25, warm: quick ? 2 : 30, contestants, check: (count, name) => assert.equal(count, 64, name) };
}
