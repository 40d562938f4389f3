// Runs the contestants of a workload in interleaved rounds, so that a noisy neighbour hits all of them alike, and reports ratios.
import { performance } from 'node:perf_hooks';

/**
 * @typedef {object} Contestant
 * @property {string} name
 * @property {(index: number) => unknown} run one operation; may return a promise
 * @property {number} [per] what one operation is divided by, e.g. turns
 * @property {string} [figure] `cpu` for the CPU time of this process, or a field of the result, in milliseconds, in place of the time taken
 * @property {number} [batch] operations a sample, so that one sample lasts long against the clock's grain
 * @property {number} [warm] operations before it is measured, where they are not those of the workload
 * @property {(result: unknown) => unknown} [answerOf] what is checked of a result that holds figures too
 * @property {Record<string, string>} [extra] further columns, e.g. how good its answers are
 * @property {string} [memory] the field of the result that holds the peak memory in MB, a further column
 * @property {boolean} [reference] part of what others do, to be read off: no peer
 * @property {() => void | Promise<void>} [close]
 *
 * @typedef {object} Workload
 * @property {string} name
 * @property {string} what one sentence: what is done once
 * @property {string} unit what one figure means, e.g. `µs a call`
 * @property {number} rounds
 * @property {Contestant[]} contestants the first is the floor, when its name is `floor`
 * @property {(result: unknown, name: string) => void} check throws when an answer is wrong
 */

/** @returns figures per contestant in the workload's unit: {name, median, p99, samples, reference?, extra?}. */
export async function measure(workload, { rounds = workload.rounds } = {}) {
  const samples = new Map(workload.contestants.map(({ name }) => [name, []]));
  for (const contestant of workload.contestants) await warm(contestant, workload);
  for (let round = 0; round < rounds; round += 1) {
    for (const contestant of rotated(workload.contestants, round)) samples.get(contestant.name).push(await sample(contestant, round));
  }
  for (const contestant of workload.contestants) await contestant.close?.();
  return workload.contestants.map(({ name, extra, reference, memory }) => {
    const taken = samples.get(name);
    const columns = { ...extra, ...(memory && { 'peak MB': summary(taken.map(({ peakMb }) => peakMb)).median.toFixed(1) }) };
    return { name, ...summary(taken.map(({ figure }) => figure)), ...(reference && { reference }), ...(Object.keys(columns).length > 0 && { extra: columns }) };
  });
}

/** The answers are checked before anything is timed: a contestant that skips the work is out. */
export async function warm(contestant, workload) {
  const result = await contestant.run(0);
  workload.check(contestant.answerOf ? contestant.answerOf(result) : result, contestant.name);
  for (let index = 1; index < (contestant.warm ?? workload.warm ?? 50); index += 1) await contestant.run(index);
}

/** @returns {Promise<{figure: number, peakMb?: number}>} */
async function sample(contestant, round) {
  const batch = contestant.batch ?? 1;
  let result;
  const before = process.cpuUsage();
  const started = performance.now();
  for (let index = 0; index < batch; index += 1) {
    result = contestant.run(round * batch + index);
    if (result instanceof Promise) result = await result;
  }
  const micros = ((performance.now() - started) * 1000) / batch;
  if (contestant.figure === 'cpu') {
    const { user, system } = process.cpuUsage(before);
    return { figure: (user + system) / batch / (contestant.per ?? 1) };
  }
  if (contestant.figure !== undefined && contestant.figure !== 'wall') return { figure: result[contestant.figure] * 1000 };
  return { figure: micros / (contestant.per ?? 1), peakMb: result?.[contestant.memory] };
}

function rotated(list, by) {
  const start = by % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}

function summary(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  return { median: at(0.5), p99: at(0.99), samples: sorted.length };
}

/** Whether it does the same work as ours, exactly, and is not the floor. */
function isPeer({ name, reference }) {
  return name !== 'floor' && !reference && !name.startsWith('haft') && !name.endsWith('(not exact)');
}

/** Text table with the ratio to the floor and to the best peer. */
export function table(workload, figures) {
  const floor = figures.find(({ name }) => name === 'floor');
  const peers = figures.filter(isPeer);
  const best = peers.toSorted((a, b) => a.median - b.median)[0];
  const number = (value) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3)).padStart(10);
  const ratio = (value, base) => (base ? `${(value / base.median).toFixed(2)}×` : '').padStart(10);
  const extras = Object.keys(figures[0]?.extra ?? {});
  const rows = figures.toSorted((a, b) => a.median - b.median).map((figure) => `  ${figure.name.padEnd(28)}${number(figure.median)}${number(figure.p99)}${ratio(figure.median, floor)}${ratio(figure.median, best)}${extras.map((head) => figure.extra[head].padStart(22)).join('')}`);
  const heads = ['median', 'p99', '÷ floor', '÷ best peer'].map((head) => head.padStart(10)).join('') + extras.map((head) => head.padStart(22)).join('');
  return [`${workload.name}: ${workload.what} (${workload.unit})`, `  ${''.padEnd(28)}${heads}`, ...rows, ''].join('\n');
}
