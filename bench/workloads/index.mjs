// Every workload, each made when its turn comes so that none is paid for by another.
import assert from 'node:assert/strict';
import { coldWorkload, warmWorkload, firstUseWorkload } from './cold.mjs';
import * as dispatch from './dispatch.mjs';
import { editWorkload, globWorkload, grepWorkload, headWorkload, readWorkload } from './files.mjs';
import { heavyContestants } from '../contestants/heavy.mjs';
import { parallelWorkload } from './parallel.mjs';
import { floodWorkload, largeProcessWorkload, sandboxWorkload, spawnWorkload } from './processes.mjs';
import { recallWorkload, shortlistWorkload } from './shortlist.mjs';
import { promptWorkload, startWorkload } from './start.mjs';
import { anthropicStreamWorkload, openaiStreamWorkload } from './streaming.mjs';

/** As many as it takes until everybody's code is compiled for good. */
const warmCalls = 20_000;

/** name → ({quick}) => workload */
export const workloads = {
  'dispatch valid': (options) => dispatchWorkload(options, 'dispatch valid', 'JSON text and name to result message, 4 fields', dispatch.toolName, dispatch.valid, dispatch.checkValid, warmCalls),
  'dispatch invalid': (options) => dispatchWorkload(options, 'dispatch invalid', 'the same with two wrong fields', dispatch.toolName, dispatch.invalid, dispatch.checkInvalid, warmCalls),
  'dispatch nested': (options) => dispatchWorkload(options, 'dispatch nested', 'the same with 50 nested objects', 'sum_items', dispatch.nested, dispatch.checkNested, warmCalls / 5),
  'start': startWorkload,
  'schema cold': coldWorkload,
  'schema warm': warmWorkload,
  'first use of validators': firstUseWorkload,
  'prompt': promptWorkload,
  'loop 50 turns': ({ quick }) => loopWorkload('loop 50 turns', 50, 2, quick),
  'loop 200 turns': ({ quick }) => loopWorkload('loop 200 turns', quick ? 60 : 200, 2, quick),
  'loop 800 turns': ({ quick }) => loopWorkload('loop 800 turns', quick ? 80 : 800, 2, quick),
  'loop 200 turns, 102 tools': ({ quick }) => loopWorkload('loop 200 turns, 102 tools', quick ? 20 : 200, 102, quick),
  'parallel calls': parallelWorkload,
  'stream openai': openaiStreamWorkload,
  'stream anthropic': anthropicStreamWorkload,
  'shortlist of 1000': shortlistWorkload(1_000),
  'shortlist of 10000': shortlistWorkload(10_000),
  'shortlist of real tools': recallWorkload,
  'glob': globWorkload,
  'grep': grepWorkload,
  'read first lines': headWorkload,
  'read far lines': readWorkload,
  'edit': editWorkload,
  'spawn': spawnWorkload,
  'spawn in the sandbox': sandboxWorkload,
  'spawn from a large process': largeProcessWorkload,
  'output flood': floodWorkload,
};

async function dispatchWorkload({ quick }, name, what, tool, json, check, warm) {
  const floor = await import('../contestants/floor.mjs');
  const peers = await import('../contestants/peers.mjs');
  const { haftDispatch } = await import('../contestants/haft.mjs');
  const all = { floor: floor.dispatch, haft: await haftDispatch(), ...(await peers.dispatchers()) };
  const contestants = Object.entries(all).map(([contestant, run]) => ({ name: contestant, batch: 200, figure: 'cpu', run: () => run(tool, json) }));
  if (!quick) contestants.push(...heavyContestants('dispatcher', { name: tool, json }, { figure: 'cpuMs', times: 200, warm: warm / 200 }));
  return { name, what, unit: 'µs of CPU a call', rounds: 60, warm: quick ? 1000 : warm, contestants, check };
}

async function loopWorkload(name, turns, tools, quick) {
  const peers = await import('../contestants/loops.mjs');
  const { haftLoop, haftLoopOnSdk } = await import('../contestants/haft.mjs');
  const all = { ...(await peers.loops()), haft: await haftLoop(), 'haft on openai sdk': await haftLoopOnSdk() };
  const contestants = Object.entries(all).map(([contestant, run]) => ({ name: contestant, batch: 1, per: turns, figure: 'cpu', run: () => run(turns, tools) }));
  if (!quick) contestants.push(...heavyContestants('loop', { turns, tools }, { figure: 'cpuMs', per: turns }));
  const check = (text, contestant) => assert.equal(text, 'done', `${contestant} answered ${JSON.stringify(text)}`);
  return { name, what: `${turns} turns of a scripted model with one call each, ${tools} tools`, unit: 'µs of CPU a turn', rounds: quick ? 1 : 7, warm: quick ? 2 : Math.ceil(800 / turns) + 1, contestants, check };
}
