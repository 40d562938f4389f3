// Carries many sessions forward until it is killed: run by session/kill.e2e.test.ts as `node kill-worker.mjs STATE-FOLDER SESSIONS AT-ONCE`.
// Every effect leaves a line in effects.log at its start, every finished run a line in acknowledged.log; both are one write each.
import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { SessionStore, createAgent } from '@haft/agent';
import { ToolRegistry } from '@haft/core';
import { scriptedModel } from '@haft/agent/testing';

const [folder, sessions, atOnce] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const TURNS = 3;
const store = SessionStore.open(join(folder, 'sessions'), { durable: process.env.HAFT_KILL_DURABLE === '1' });
const effects = openSync(join(folder, 'effects.log'), 'a', 0o600);
const acknowledged = openSync(join(folder, 'acknowledged.log'), 'a', 0o600);
const finished = new Set(lines(join(folder, 'acknowledged.log')).map((line) => line.split(' ')[0]));

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Two calls a turn that change something and one that reads; an answer after TURNS turns. The turn is told from the history. */
const model = scriptedModel(async ({ body }) => {
  const turn = body.messages.filter((message) => message.role === 'assistant').length;
  await pause(Math.random() * 4);
  if (turn === TURNS) return { text: 'done' };
  const call = (name, n) => ({ name, arguments: { path: `${name}-${turn}-${n}` } });
  return { calls: [call('write', 1), call('read', 2), call('write', 3)] };
});

const definition = (name, scopes, mode) => ({ name, scopes, mode });
const tools = new Map([definition('write', ['write'], 'write'), definition('read', ['read'], 'read')].map((tool) => [tool.name, tool]));

const dispatcher = {
  plan: (call) => {
    const { scopes, mode } = tools.get(call.name);
    const values = JSON.parse(call.arguments);
    const decision = { verdict: 'allow', reasons: [] };
    const accesses = [{ kind: 'path', mode, value: values.path, resource: values.path, inside: true }];
    return Promise.resolve({ kind: 'planned', planned: { call, tool: call.name, arguments: values, scopes, idempotent: false, accesses, decision, hash: call.id } });
  },
  execute: async ({ call, tool }, _answer, context) => {
    if (tool === 'write') writeSync(effects, `${context.sessionId} ${call.id}\n`);
    await pause(Math.random() * 3);
    return { callId: call.id, tool, status: 'success', success: true, content: `did ${call.id}`, durationMs: 0, queuedMs: 0, retryCount: 0 };
  },
};

const registry = new ToolRegistry();

async function carry(id) {
  const known = existsSync(join(store.folder, `${id}.jsonl`));
  const session = known ? store.load(id) : store.create({ id });
  if (session.unfinished === undefined && session.messages.length > 0) {
    // Finished, and killed before it could say so.
    await session.close();
    writeSync(acknowledged, `${id} completed\n`);
    return;
  }
  const agent = createAgent({ model, registry, dispatcher, session, limits: { maxIdenticalCalls: 1_000 } });
  const run = session.unfinished === undefined ? agent.run('go') : agent.resume();
  for (let next = await run.next(); ; next = await run.next()) {
    if (!next.done) continue;
    await agent.dispose();
    writeSync(acknowledged, `${id} ${next.value.status} ${JSON.stringify(next.value.error?.message ?? '')}\n`);
    return;
  }
}

function lines(path) {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter((line) => line !== '') : [];
}

process.stdout.write('working\n');
const waiting = Array.from({ length: sessions }, (_, index) => `session${index}`).filter((id) => !finished.has(id));
await Promise.all(Array.from({ length: atOnce }, async () => {
  for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) await carry(id);
}));
closeSync(effects);
closeSync(acknowledged);
