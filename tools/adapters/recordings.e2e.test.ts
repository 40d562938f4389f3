// Real answers of real services, played over HTTP: each adapter must see exactly what was said, whole, in odd pieces, and never half of it.
import { describe, expect, test } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';
import { createAgent } from '../../packages/agent/dist/index.js';
import { type Dispatcher, type ToolCall, ToolRegistry, type ToolResult } from '../../packages/core/dist/index.js';
import { type Outcome, adapterFor, callsOf, play } from './play.js';
import { type ExpectedTurn, type Recording, recordings, recordingsFolder, recordingsPresent, startReplay } from './replay.js';

const all = recordings();

/** What a recorded error must become, by recording; those of a turn are all alike. */
const errors: Record<string, { code: string; retryable: boolean }> = {
  'chat-400-role': { code: 'invalid_request', retryable: false },
  'chat-openrouter-429': { code: 'rate_limited', retryable: true },
  'chat-no-choices': { code: 'protocol', retryable: false },
  'msg-400-effort': { code: 'invalid_request', retryable: false },
  'msg-404-model': { code: 'model_not_found', retryable: false },
  'resp-400-lost-reasoning': { code: 'invalid_request', retryable: false },
  'resp-429-quota': { code: 'quota_exceeded', retryable: false },
  'resp-deepseek-no-output': { code: 'invalid_request', retryable: false },
};

/** Recordings whose client sent what we do not: why the requests differ. */
const differs: Record<string, string> = {
  'chat-empty-call-id': 'the client minted another id',
  'chat-groq-400-tool-use-failed': 'the client minted another id',
  'resp-retry-parallel': 'the client sent an empty assistant message',
  'resp-400-lost-reasoning': 'the client lost the message after the reasoning; here it cannot be lost',
  'resp-deepseek-no-output': 'the client put a message between a call and its result',
  'msg-stream-tools': 'the client sent a blank text block',
};

if (recordingsPresent) replayAll();
else {
  test(`there are no recordings of real answers at ${recordingsFolder}: nothing is replayed`, () => {
    process.stdout.write(`recordings of real answers: none at ${recordingsFolder}, nothing is replayed\n`);
    expect(all).toEqual([]);
  });
}

function replayAll(): void {
  describe.each(all)('$id: $must', (recording) => {
    test('as it was recorded', async () => {
      const server = await startReplay(recording, {});
      try {
        check(recording, await play(recording, server, (turn) => turn.stream));
        expect(server.report.served).toBe(recording.turns.length);
        const problems = server.report.problems.filter(({ kind }) => kind !== 'turns' || differs[recording.id] === undefined);
        expect(problems).toEqual([]);
      } finally {
        await server.close();
      }
    });

    test.each([7, 61, 4099])('streamed in pieces of %i bytes', async (chunkBytes) => {
      const server = await startReplay(recording, { transcode: true, chunkBytes });
      try {
        check(recording, await play(recording, server, () => true));
      } finally {
        await server.close();
      }
    });
  });

  describe.each(all.filter(isOneRun))('$id through the agent loop', (recording) => {
    test.each([true, false])('streamed: %p: every call once, its recorded result sent back, the recorded answer at the end', async (stream) => {
      const server = await startReplay(recording, { transcode: true });
      const seen: string[] = [];
      const agent = createAgent({ model: adapterFor(recording, server, stream), registry: new ToolRegistry(), dispatcher: recordedDispatcher(recording, seen), limits: { maxTurns: recording.turns.length, finalAnswer: false } });
      try {
        const run = agent.run('Go on.');
        let next = await run.next();
        while (next.done !== true) next = await run.next();
        const { text, status, usage, turns } = next.value;
        const last = recording.turns.at(-1) as ExpectedTurn;
        expect(seen).toEqual(recording.turns.flatMap((turn) => turn.calls.map((call) => call.name)));
        expect(turns).toBe(recording.turns.length);
        expect(status).toBe(last.calls.length > 0 ? 'max_turns' : 'completed');
        if (last.calls.length === 0) expect(text).toHaveLength(last.textLength);
        expect(usage.output).toBe(recording.turns.reduce((sum, turn) => sum + (turn.usage?.out ?? 0), 0));
        expect(server.report.problems.filter(({ kind }) => kind === 'pairing' || kind === 'extra')).toEqual([]);
      } finally {
        await agent.dispose();
        await server.close();
      }
    });
  });

  describe.each(all.filter((recording) => recording.turns[0]?.status === 200 && errors[recording.id]?.code !== 'protocol'))('$id, cut', (recording) => {
    test.each([true, false])('at random bytes (streamed: %p): an error, or the whole answer, never a part', async (stream) => {
      const [expected] = recording.turns as [ExpectedTurn];
      const first = { ...recording, turns: [expected] };
      const { list, close } = await startReplay(recording, {});
      await close();
      // What is transcoded to a stream is longer; a cut after the end cuts nothing.
      const bytes = (list[0]?.responseText.length ?? 0) * (stream ? 1.5 : 1);
      for (const share of shares(recording.id)) {
        const server = await startReplay(recording, { transcode: true, chunkBytes: 97, cut: { at: 0, bytes: Math.ceil(share * bytes) } });
        try {
          const [outcome] = await play(first, server, () => stream);
          if (outcome !== undefined && 'turn' in outcome) checkTurn(expected, outcome, recording);
          else expect(outcome?.error).toMatchObject({ code: 'network', retryable: true });
        } finally {
          await server.close();
        }
      }
    });
  });
}

function check(recording: Recording, outcomes: Outcome[]): void {
  expect(outcomes).toHaveLength(recording.turns.length);
  for (const [index, expected] of recording.turns.entries()) checkTurn(expected, outcomes[index] as Outcome, recording);
}

function checkTurn(expected: ExpectedTurn, outcome: Outcome, { id }: Recording): void {
  const wanted = errors[id];
  if (wanted !== undefined && (expected.status >= 400 || expected.stop === undefined)) {
    expect(outcome).toMatchObject({ error: wanted });
    return;
  }
  if ('error' in outcome) throw outcome.error;
  const { turn } = outcome;
  const calls = callsOf(turn.message);
  if (expected.status >= 400) {
    // Groq refused the call itself: it comes back as a call, to be refused by our own check.
    expect(calls.map(({ name, arguments: text }) => [name, JSON.parse(text)])).toEqual([['get_something_by_name', { foo: 'bar' }]]);
    return;
  }
  expect(calls.map((call) => call.name)).toEqual(expected.calls.map((call) => call.name));
  for (const [index, call] of expected.calls.entries()) {
    const made = calls[index];
    expect(made?.id).not.toBe('');
    if (call.id !== '') expect(made?.providerId).toBe(call.id);
    const text = made?.arguments ?? '';
    expect(call.custom === true ? text === call.args : isDeepStrictEqual(JSON.parse(text), JSON.parse(call.args ?? '{}'))).toBe(true);
  }
  const text = turn.message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  expect(text).toHaveLength(expected.textLength);
  expect(text.startsWith(expected.text.slice(0, 200))).toBe(true);
  expect(turn.shownText).toBe(text);
  expect(turn.finish).toBe(finishOf(expected));
  if (expected.usage?.in !== undefined) {
    const apart = (turn.usage.cacheRead ?? 0) + (turn.usage.cacheWrite ?? 0);
    expect([turn.usage.input, turn.usage.input - apart]).toContain(expected.usage.in);
    expect(turn.usage.output).toBe(expected.usage.out);
  }
}

function finishOf({ stop, calls }: ExpectedTurn): string {
  if (stop === 'refusal') return 'refusal';
  return calls.length > 0 ? 'tool_calls' : 'stop';
}

/** Places of the cut as shares of the answer: the same for each run, other ones for each recording. */
function shares(id: string): number[] {
  let state = Array.from(id).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);
  return Array.from({ length: 6 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  });
}

/** Recordings of one question: calls and their results until the answer. */
function isOneRun({ turns }: Recording): boolean {
  return turns.every((turn, index) => turn.status === 200 && turn.usage !== undefined && turn.stop !== 'refusal' && (turn.calls.length > 0 || index === turns.length - 1) && turn.calls.every((call) => call.custom !== true));
}

/** Answers each call with what was recorded for it. */
function recordedDispatcher({ turns, toolResults = {} }: Recording, seen: string[]): Dispatcher {
  const resultOf = ({ id, name }: ToolCall): ToolResult => {
    const [, turn = '1', index = '1'] = /:t(\d+)\.(\d+)$/.exec(id) ?? [];
    seen.push(name);
    const content = toolResults[turns[Number(turn) - 1]?.calls[Number(index) - 1]?.id ?? ''] ?? 'ok';
    return { callId: id, tool: name, status: 'success', success: true, content, durationMs: 0, queuedMs: 0, retryCount: 0 };
  };
  return { plan: (call) => Promise.resolve({ kind: 'refused', result: resultOf(call) }), execute: (planned) => Promise.resolve(resultOf(planned.call)), dispatch: (call) => Promise.resolve(resultOf(call)) };
}
