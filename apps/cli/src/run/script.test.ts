// Scripts of calls: what is understood, and errors that name the line.
import { expect, test } from '@jest/globals';
import { parseScript } from './script.js';

test('calls, parallel calls and blank lines', () => {
  const text = '{"name":"a","arguments":{"x":1}}\n\n[{"tool":"b","args":{}},{"name":"c","arguments":"{not json"}]\n';
  expect(parseScript(text, 'calls.jsonl')).toEqual([
    { kind: 'call', call: { id: 'call-1', name: 'a', arguments: '{"x":1}' } },
    {
      kind: 'parallel',
      calls: [
        { id: 'call-2', name: 'b', arguments: '{}' },
        { id: 'call-3', name: 'c', arguments: '{not json' },
      ],
    },
  ]);
});

test.each([
  ['{"name":"a"}\n{oops', /calls\.jsonl, line 2 is not JSON/],
  ['"a"', /line 1: a call is an object.*not "a"/],
  ['{"nam":"a"}', /Did you mean "name"\?/],
  ['{"steps":[]}', /An orchestration has one of chain, parallel, router, plan/],
  ['{"arguments":{}}', /line 1: "name" must be the name of a tool, not undefined/],
])('%j is refused', (text, message) => {
  expect(() => parseScript(text, 'calls.jsonl')).toThrow(message);
});

test('SCH-19: arguments nested 20,000 deep stay one call, which the dispatcher refuses, and the next line is read', () => {
  const deep = `${'{"c":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
  const [first, second] = parseScript(`{"name":"a","arguments":${deep}}\n{"name":"b"}`, 'calls.jsonl').map((line) => (line.kind === 'call' ? line.call : undefined));
  expect(first?.arguments.startsWith('{"c":'.repeat(65))).toBe(true);
  expect(second).toMatchObject({ name: 'b', arguments: '{}' });
});
