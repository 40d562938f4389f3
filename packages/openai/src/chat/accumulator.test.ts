// The accumulator alone: what servers do with index, id, name, arguments and finish_reason, and the same neutral turn each time.
import { describe, expect, test } from '@jest/globals';
import { type ModelEvent, ModelError, type ModelTurn } from '@haft/agent';
import { wireNames } from '@haft/agent/adapter';
import fc from 'fast-check';
import { profiles } from '../profiles.js';
import { ChatAccumulator } from './accumulator.js';
import type { ChatPiece, ToolCallDelta } from './chunk.js';

function read(pieces: ChatPiece[]): { turn: ModelTurn; events: ModelEvent[] } {
  const accumulator = new ChatAccumulator(profiles.compatible, 'm', wireNames([]));
  const events = pieces.flatMap((piece) => accumulator.feed(piece));
  return { turn: accumulator.finish(), events };
}

const toolDeltas = (...deltas: (ToolCallDelta | null)[]): ChatPiece => ({ choices: [{ delta: { tool_calls: deltas } }] });
const end = (finish_reason = 'tool_calls'): ChatPiece => ({ choices: [{ delta: {}, finish_reason }] });
const callsOf = ({ turn }: { turn: ModelTurn }) => turn.message.parts.filter((part) => part.type === 'tool_call');
const seen = (read_: { turn: ModelTurn }) => callsOf(read_).map((call) => [call.name, call.arguments]);

describe('tool calls', () => {
  test('PROT-04: deltas with index 0 for all, or without index, are separate calls', () => {
    const out = read([
      toolDeltas({ index: 0, id: 'c1', function: { name: 'echo', arguments: '{"text":"one"}' } }),
      toolDeltas({ index: 0, id: 'c2', function: { name: 'echo', arguments: '{"text":"two"}' } }),
      toolDeltas(null, { id: 'c3', function: { name: 'echo', arguments: '{"te' } }),
      toolDeltas({ function: { arguments: 'xt":"three"}' } }),
      end(),
    ]);
    expect(seen(out)).toEqual([['echo', '{"text":"one"}'], ['echo', '{"text":"two"}'], ['echo', '{"text":"three"}']]);
    expect(callsOf(out).map((call) => call.providerId)).toEqual(['c1', 'c2', 'c3']);
  });

  test('PROT-05: interleaved deltas go to their call by index; missing and empty ids are minted, unique', () => {
    const out = read([
      toolDeltas({ index: 0, function: { name: 'echo', arguments: '' } }),
      toolDeltas({ index: 0, function: { arguments: '{"text":' } }),
      toolDeltas({ index: 1, id: '', function: { name: 'echo', arguments: '{"text":"B"}' } }),
      toolDeltas({ index: 0, function: { arguments: '"A"}' } }),
      end(),
    ]);
    expect(seen(out)).toEqual([['echo', '{"text":"A"}'], ['echo', '{"text":"B"}']]);
    const ids = callsOf(out).map((call) => call.id);
    expect(new Set(ids).size).toBe(2);
    expect(ids.every((id) => /^call_[a-z0-9]+$/.test(id))).toBe(true);
  });

  test.each<[string, ToolCallDelta[][], string[][]]>([
    ['id and name repeated with each delta', [[{ index: 0, id: 'a', function: { name: 'f', arguments: '{"x":' } }], [{ index: 0, id: 'a', function: { name: 'f', arguments: '1}' } }]], [['f', '{"x":1}']]],
    ['a new id with each delta, the name only once', [[{ index: 0, id: 'a', function: { name: 'f', arguments: '{"x":' } }], [{ index: 0, id: 'b', function: { arguments: '1}' } }]], [['f', '{"x":1}']]],
    ['later deltas with empty id and name', [[{ index: 0, id: 'a', function: { name: 'f', arguments: '' } }], [{ index: 0, id: '', function: { name: '', arguments: '{}' } }]], [['f', '{}']]],
    ['the id after the name', [[{ index: 0, function: { name: 'f' } }], [{ index: 0, id: 'a', function: { arguments: '{"x":1}' } }]], [['f', '{"x":1}']]],
    ['several whole calls in one chunk without index', [[{ id: 'a', function: { name: 'f', arguments: '{}' } }, { id: 'b', function: { name: 'g', arguments: '{"y":2}' } }]], [['f', '{}'], ['g', '{"y":2}']]],
    ['several whole calls without index and id', [[{ function: { name: 'f', arguments: '{"x":1}' } }, { function: { name: 'f', arguments: '{"x":2}' } }]], [['f', '{"x":1}'], ['f', '{"x":2}']]],
    ['the same id for two calls', [[{ index: 0, id: 'd', function: { name: 'f', arguments: '{"x":1}' } }], [{ index: 1, id: 'd', function: { name: 'f', arguments: '{"x":2}' } }]], [['f', '{"x":1}'], ['f', '{"x":2}']]],
    ['indexes with holes', [[{ index: 3, id: 'a', function: { name: 'f', arguments: '{}' } }], [{ index: 7, id: 'b', function: { name: 'g', arguments: '{}' } }]], [['f', '{}'], ['g', '{}']]],
    ['an empty delta that never becomes a call', [[{ index: 0 }], [{ index: 1, id: 'b', function: { name: 'g', arguments: '{}' } }]], [['g', '{}']]],
    ['arguments as an object', [[{ index: 0, id: 'a', function: { name: 'f', arguments: { x: [1] } } }]], [['f', '{"x":[1]}']]],
    ['no arguments at all', [[{ index: 0, id: 'a', function: { name: 'f' } }]], [['f', '{}']]],
    ['arguments null', [[{ index: 0, id: 'a', function: { name: 'f', arguments: null } }]], [['f', '{}']]],
    ['a custom tool\'s free text', [[{ index: 0, id: 'a', custom: { name: 'sql', input: 'SELECT 1' } }]], [['sql', 'SELECT 1']]],
  ])('%s', (_, chunks, expected) => {
    expect(seen(read([...chunks.map((deltas) => toolDeltas(...deltas)), end()]))).toEqual(expected);
  });

  test('the form before tools, and a whole message where a delta is expected', () => {
    expect(seen(read([{ choices: [{ delta: { function_call: { name: 'f', arguments: '{"x":' } } }] }, { choices: [{ delta: { function_call: { arguments: '1}' } } }] }, end('function_call')]))).toEqual([['f', '{"x":1}']]);
    expect(seen(read([{ choices: [{ message: { content: null, tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{}' } }] }, finish_reason: 'stop' }] }]))).toEqual([['f', '{}']]);
  });

  test('whatever the pieces, the calls are the same', () => {
    const text = fc.string({ unit: 'binary', maxLength: 30 });
    const call = fc.record({ name: fc.constantFrom('read_file', 'echo', 'bash'), arguments: fc.dictionary(fc.string({ maxLength: 5 }), text, { maxKeys: 3 }).map((value) => JSON.stringify(value)) });
    const quirks = fc.record({ withIndex: fc.boolean(), repeatId: fc.boolean(), emptyLater: fc.boolean(), size: fc.integer({ min: 1, max: 9 }) });
    fc.assert(fc.property(fc.array(call, { minLength: 1, maxLength: 4 }), quirks, (calls, quirk) => {
      const chunks = calls.flatMap((made, index) => deltasOf(made, index, quirk)).map((delta) => toolDeltas(delta));
      expect(seen(read([...chunks, end()]))).toEqual(calls.map((made) => [made.name, made.arguments]));
    }), { numRuns: 300 });
  });
});

function deltasOf(call: { name: string; arguments: string }, index: number, quirk: { withIndex: boolean; repeatId: boolean; emptyLater: boolean; size: number }): ToolCallDelta[] {
  const at = quirk.withIndex ? { index } : {};
  const pieces = call.arguments.match(new RegExp(`[\\s\\S]{1,${quirk.size}}`, 'g')) ?? [];
  const later = quirk.repeatId ? { id: `id${index}` } : quirk.emptyLater ? { id: '' } : {};
  const name = quirk.emptyLater ? { name: '' } : {};
  return [{ ...at, id: `id${index}`, function: { name: call.name, arguments: '' } }, ...pieces.map((text) => ({ ...at, ...later, function: { ...name, arguments: text } }))];
}

describe('the rest of a turn', () => {
  test('a wrong finish_reason is set right by what is there', () => {
    const call = toolDeltas({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } });
    expect(read([call, end('stop')]).turn.finish).toBe('tool_calls');
    expect(read([{ choices: [{ delta: { content: 'x' } }] }, end('tool_calls')]).turn.finish).toBe('stop');
    expect(read([call, end('length')]).turn.finish).toBe('length');
    expect(read([{ choices: [{ delta: { refusal: 'No.' } }] }, end('stop')]).turn).toMatchObject({ finish: 'refusal', message: { parts: [{ type: 'text', text: 'No.' }] } });
    expect(read([{ choices: [{ delta: { content: 'x' } }] }, end('content_filter')]).turn.finish).toBe('content_filter');
  });

  test('reasoning stays apart from the text, in each form that servers use', () => {
    const forms: ChatPiece[] = [
      { choices: [{ delta: { reasoning_content: 'think', content: 'say' } }] },
      { choices: [{ delta: { reasoning: 'think', content: 'say' } }] },
      { choices: [{ delta: { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'think' }] }, { type: 'text', text: 'say' }] } }] },
    ];
    for (const form of forms) {
      const { turn, events } = read([form, end('stop')]);
      expect(turn.message.parts).toEqual([{ type: 'reasoning', text: 'think' }, { type: 'text', text: 'say' }]);
      expect(events).toEqual([{ type: 'reasoning_delta', text: 'think' }, { type: 'text_delta', text: 'say' }]);
    }
  });

  test('pieces of reasoning_details are joined by index and kept opaque', () => {
    const detail = (more: object): ChatPiece => ({ choices: [{ delta: { reasoning_details: [{ type: 'reasoning.text', index: 0, ...more }] } }] });
    const { turn } = read([detail({ text: 'a' }), detail({ text: 'b' }), detail({ signature: 's' }), { choices: [{ delta: { reasoning_details: [{ type: 'reasoning.encrypted', index: 1, data: 'x' }] } }] }, end('stop')]);
    const [part] = turn.message.parts;
    expect(part?.opaque?.data).toEqual({ reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'ab', signature: 's' }, { type: 'reasoning.encrypted', index: 1, data: 'x' }] });
  });

  test('usage is read wherever it stands, cached and reasoning tokens included', () => {
    const { turn } = read([end('stop'), { choices: [], usage: { prompt_tokens: 9, completion_tokens: 4, prompt_cache_hit_tokens: 3, completion_tokens_details: { reasoning_tokens: 2 } } }]);
    expect(turn.usage).toEqual({ input: 9, output: 4, cacheRead: 3, reasoning: 2 });
  });

  test('an answer without its finish_reason, without choices, or without anything is no answer', () => {
    const code = (pieces: ChatPiece[]): string => {
      try {
        read(pieces);
        return 'accepted';
      } catch (error) {
        return error instanceof ModelError ? `${error.code} ${error.retryable}` : String(error);
      }
    };
    expect(code([{ choices: [{ delta: { content: 'half' } }] }])).toBe('network true');
    expect(code([toolDeltas({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } })])).toBe('network true');
    expect(code([{ usage: {} }])).toBe('protocol false');
    expect(code([])).toBe('network true');
    expect(code([end('error')])).toBe('server_error true');
  });
});
