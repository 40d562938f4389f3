// One eventful run, cut after every single record of its file: from each point the resumed run comes to the same end, starts nothing twice
// that may have happened, and what is read back from the file is what the run has in memory.
import { afterAll, expect, test } from '@jest/globals';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApprovalAnswer } from '@haft/core';
import { type HandTool, collect, handMade } from '../../test/kit.js';
import { type Agent, type AgentEvent, type Message, type ModelAdapter, type ModelRequest, type RunResult, SessionStore, createAgent, repairHistory } from '../index.js';
import type { ScriptedTurn } from '../testing/script.js';
import { scriptedModel } from '../testing/scripted-model.js';
import type { SessionRecord } from './records.js';

const root = mkdtempSync(join(tmpdir(), 'haft-crash-points-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const write = (path: string) => ({ name: 'write', arguments: { path } });
const turns: ScriptedTurn[] = [
  { text: 'I begin.', calls: [write('asked'), { name: 'read', arguments: { path: 'b' } }, write('denied'), write('free')] },
  { calls: [1, 2, 3].map((n) => ({ name: 'read', arguments: { path: `huge${n}` } })) },
  { calls: [write('edited'), { name: 'nope' }, { name: 'read', arguments: '{"path"' }, write('free')] },
  { calls: [write('cut')], finish: 'length' },
  { calls: [write('large')] },
];

/** Answers by the number of the turn in the newest call id, so that a resumed run hears what an uninterrupted one would. */
function model(): ModelAdapter {
  return scriptedModel(({ body }) => {
    const request = body as ModelRequest;
    if (request.tools.length === 0) return { text: 'NOTES' };
    if (request.toolChoice === 'none') return { text: 'That is all.' };
    const calls = request.messages.flatMap((message) => (message.role === 'assistant' ? message.parts.flatMap((part) => (part.type === 'tool_call' ? [part.id] : [])) : []));
    const turn = turns[Number(calls.at(-1)?.match(/:t(\d+)\./)?.[1] ?? 0)] ?? { text: 'too far' };
    return { ...turn, calls: (turn.calls ?? []).map((call, index) => ({ ...call, id: `c${index}` })) };
  });
}

function tools(started: string[]): Record<string, HandTool> {
  const access = (mode: 'read' | 'write') => ({ path }: Record<string, unknown>) => [{ kind: 'path' as const, mode, value: String(path), resource: String(path), inside: true }];
  const size = (path: unknown) => (String(path).startsWith('huge') ? 2_500 : path === 'large' ? 300_000 : 10);
  return {
    read: { accesses: access('read'), run: ({ path }) => `${String(path)} `.repeat(size(path) / 5) },
    write: { scopes: ['write'], verdict: 'ask', accesses: access('write'), run: ({ path }, _context, call) => { started.push(call.id); return 'w'.repeat(size(path)); } },
  };
}

const answers: Record<string, ApprovalAnswer> = { '"denied"': { answer: 'deny', reason: 'no' }, '"edited"': { answer: 'edit', arguments: { path: 'changed' } } };

function agentOn(store: SessionStore, id: string, started: string[]) {
  const session = existsSync(join(store.folder, `${id}.jsonl`)) ? store.load(id) : store.create({ id });
  const agent = createAgent({ ...handMade(model(), tools(started)), session, limits: { maxTurns: 5, maxTurnOutputChars: 6_000, contextTokens: 2_000 } });
  return { session, agent };
}

/** Runs to the end, answers what is asked, sends a message in the first turn. */
async function drive(agent: Agent, run: AsyncGenerator<AgentEvent, RunResult>, steer: boolean): Promise<{ events: AgentEvent[]; result: RunResult }> {
  return collect(run, async (event) => {
    if (event.type === 'tool_call_started' && steer && event.callId.endsWith(':t1.1')) await agent.steer('mind the gap');
    if (event.type === 'tool_call_approval' && !event.answer) await agent.answer(event.callId, answers[JSON.stringify(event.request.arguments.path)] ?? { answer: 'once' });
  });
}

const isUnknown = (message: Message) => message.role === 'tool' && message.status === 'unknown';

test('every point of an eventful run', async () => {
  const whole = SessionStore.open(join(root, 'whole'));
  const first: string[] = [];
  const { agent, session } = agentOn(whole, 'run', first);
  const { events, result } = await drive(agent, agent.run('do it'), true);
  await agent.dispose();
  expect(result).toMatchObject({ status: 'max_turns', text: 'That is all.', turns: 5 });
  expect(events.map((event) => event.type)).toEqual(expect.arrayContaining(['context_compacted', 'tool_call_approval']));
  expect(first).toHaveLength(5);
  expect(JSON.stringify(result.messages)).toContain('mind the gap');

  const path = join(whole.folder, 'run.jsonl');
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const records = lines.map((line) => JSON.parse(line) as SessionRecord);
  expect(records.some((record) => 'ref' in record)).toBe(true);
  expect(lines.length).toBeGreaterThan(50);
  const again = whole.load('run');
  expect(again.messages).toEqual(session.messages);
  await again.close();

  for (let kept = 2; kept < lines.length; kept += 1) await resumeAfter(kept, lines, records, result);
}, 120_000);

async function resumeAfter(kept: number, lines: readonly string[], records: readonly SessionRecord[], whole: RunResult): Promise<void> {
  const store = SessionStore.open(join(root, `cut-${kept}`), { durable: false });
  writeFileSync(join(store.folder, 'run.jsonl'), `${lines.slice(0, kept).join('\n')}\n${lines[kept]!.slice(0, 20)}`);
  cpSync(join(root, 'whole', 'run.blobs'), join(store.folder, 'run.blobs'), { recursive: true });
  const claimed = records.slice(0, kept).flatMap((record) => (record.t === 'claim' ? [record.key] : []));
  const steered = records.slice(0, kept).some((record) => record.t === 'signal' && record.key.startsWith('steering/'));

  const started: string[] = [];
  const { agent, session } = agentOn(store, 'run', started);
  const { result } = await drive(agent, agent.resume(), !steered);
  await agent.dispose();
  expect([kept, started.filter((id) => claimed.includes(id))]).toEqual([kept, []]);
  expect(new Set(started).size).toBe(started.length);
  expect([kept, result.status, result.text, result.turns]).toEqual([kept, whole.status, whole.text, whole.turns]);
  expect(repairHistory([...result.messages]).repairs).toEqual([]);
  expect(result.messages.map((message, index) => (isUnknown(message) ? whole.messages[index] : message))).toEqual(whole.messages);
  expect(result.messages.filter(isUnknown).length).toBeLessThanOrEqual(1);
  expect(result.usage).toEqual(whole.usage);
  const read = store.load('run');
  expect(read.messages).toEqual(session.messages);
  expect(read.unfinished).toBeUndefined();
  await read.close();
}
