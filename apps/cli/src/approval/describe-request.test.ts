// What a person reads before saying yes.
import { expect, describe, test } from '@jest/globals';
import type { ApprovalRequest } from '@haft/core';
import { Terminal } from '../output/terminal.js';
import { describeRequest } from './describe-request.js';

const writer = { write: () => true, columns: 80 };
const terminal = new Terminal({ stdin: {}, stdout: writer, stderr: writer, env: {} });

function bash(command: string, parts = 1): ApprovalRequest {
  const access = { kind: 'command' as const, mode: 'write' as const, value: command, resource: '' };
  return {
    callId: 'c', sessionId: 's', tool: 'bash', plugin: 'shell', scopes: ['dangerous'], arguments: { command }, hash: '',
    accesses: Array.from({ length: parts }, (_, index) => ({ ...access, resource: String(index) })),
    decision: { verdict: 'ask', reasons: [{ verdict: 'ask', rule: 'running a command is asked', source: { kind: 'default', where: 'default' } }], suggestion: ['bash(npm test)'] },
  };
}

describe('PERM-08: nothing of a command is hidden', () => {
  test.each([
    ['padding', `echo ok${' '.repeat(4_000)}; touch PWN`, /touch PWN/],
    ['directions', 'echo safe \u202e hcuot ;\u202c', /\\u\{202e\} hcuot ;\\u\{202c\}/],
    ['carriage return and cursor moves', 'echo a\rtouch PWN #\x1b[1A\x1b[2K', /echo a\^Mtouch PWN #\^\[\[1A\^\[\[2K/],
    ['line breaks', `ls${'\n'.repeat(60)}touch PWN`, /touch PWN/],
    ['length', `echo ${'x'.repeat(50_000)}; touch PWN`, /more characters.*touch PWN/s],
  ])('%s', (_name, command, shown) => {
    const text = describeRequest(bash(command), terminal);
    expect(text).toMatch(shown);
    expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
    expect(text.split('\n').length).toBeLessThan(40);
  });
});

test('a command of several parts is shown once, with why it is asked and what "always" would store', () => {
  const request = bash('npm test && git status', 2);
  request.decision.reasons = ['["npm","test"]', '["git","status"]'].flatMap((resource) => request.decision.reasons.map((reason) => ({ ...reason, resource })));
  const text = describeRequest(request, terminal);
  expect(text.match(/asked because/g)).toHaveLength(1);
  expect(text.match(/npm test && git status/g)).toHaveLength(1);
  expect(text).toMatch(/asked because: running a command is asked \(default\)/);
  expect(text).toMatch(/\[p\] always: bash\(npm test\)/);
});

test('a command that the preview shows is shown once; a preview that shows another hides nothing', () => {
  const request = bash('npm test');
  request.preview = { title: 'Run a command', text: 'npm test\n\nin ., in the sandbox' };
  expect(describeRequest(request, terminal).match(/npm test(?!\))/g)).toHaveLength(1);
  request.preview.text = 'npm tests\n\nin .';
  expect(describeRequest(request, terminal)).toMatch(/run npm test\n/);
});

test('without a lasting rule none is offered', () => {
  const request = bash('x');
  delete request.decision.suggestion;
  expect(describeRequest(request, terminal)).not.toMatch(/\[a\]|\[p\]/);
});
