// Faults that only a clock can tell: a server that says nothing, or too little. One at a time, so that a busy machine is not taken for a silent server.
import { describe, expect, test } from '@jest/globals';
import type { Fault, ScriptedTurn } from '../../packages/agent/dist/testing/index.js';
import { type Setting, expectSound, runAgent, ways } from './kit.js';

const call: ScriptedTurn = { text: 'I note it.', calls: [{ name: 'note', arguments: { text: 'A' } }] };
const done: ScriptedTurn = { text: 'All done.' };
const setting: Setting = { limits: { headersMs: 800, idleMs: 800 }, agent: { retry: { baseMs: 2, attempts: 2 } } };

const rows: { fault: string; faults: Fault[]; outcome: string; requests: number; more?: Setting }[] = [
  { fault: '16: no headers', faults: [{ kind: 'no_headers' }], outcome: 'completed', requests: 3 },
  { fault: '19: one byte at a time', faults: [{ kind: 'trickle', everyMs: 20 }], outcome: 'completed', requests: 3 },
  { fault: '19: silence in the middle', faults: [{ kind: 'silence', afterBytes: 60 }], outcome: 'completed', requests: 3 },
  { fault: '19: silence for ever', faults: Array(9).fill({ kind: 'silence', afterBytes: 60 }) as Fault[], outcome: 'timeout', requests: 3 },
  { fault: '22: a lively body without end', faults: [{ kind: 'endless' }], outcome: 'timeout', requests: 2, more: { limits: { ...setting.limits, totalMs: 400, maxBodyBytes: 2 ** 50 } } },
];

// The SDKs are loaded before any clock runs.
for (const way of ways) await runAgent(way, [call, done]);

describe.each(ways)('$api, stream: $stream', (way) => {
  test.each(rows)('RETRY-10: $fault → $outcome', async ({ faults, outcome, requests, more }) => {
    const seen = await runAgent(way, [call, ...faults.map((fault) => ({ ...done, fault })), done], { ...setting, ...more });
    expect(seen.result.error?.code ?? seen.result.status).toBe(outcome);
    expect(seen.server.requests).toHaveLength(requests);
    if (outcome === 'completed') expect(seen.result.text).toBe('All done.');
    expectSound(seen);
  });
});
