// The answers at the question that lead back to it.
import { expect, test } from '@jest/globals';
import type { ApprovalAnswer, ApprovalRequest } from '@haft/core';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Keyboard } from '../input/keyboard.js';
import { LineEditor } from '../input/line-editor.js';
import { Terminal } from '../output/terminal.js';
import { TerminalApprover } from './approver.js';

const request: ApprovalRequest = {
  callId: 'c', sessionId: 's', tool: 'write_file', plugin: 'fs', scopes: ['write'], arguments: { path: 'a', content: 'b' }, hash: '', accesses: [],
  decision: { verdict: 'ask', reasons: [] },
};

/** Presses the keys one after the other, each when the question or line before it has had time to appear. */
async function answer(...keys: string[]): Promise<ApprovalAnswer> {
  const input = new PassThrough();
  const output = Object.assign(new PassThrough(), { columns: 80, rows: 24 });
  output.resume();
  const keyboard = new Keyboard(input as never);
  const terminal = new Terminal({ stdin: {}, stdout: output, stderr: output, env: {} } as never);
  const approver = new TerminalApprover({ terminal, keyboard, editor: new LineEditor(keyboard, output as never), onInterrupt: () => undefined });
  const answered = approver.ask(request, new AbortController().signal);
  for (const key of keys) {
    await sleep(250);
    input.write(key);
  }
  return answered;
}

test('Esc in the reason or in the arguments goes back to the question', async () => {
  expect(await answer('N', 'half a reason', '\x1b', 'y')).toEqual({ answer: 'once' });
  expect(await answer('e', 'x', '\x1b', 'n')).toEqual({ answer: 'deny' });
});

test('arguments that were left as they are have not been edited', async () => {
  expect(await answer('e', '\r', 'y')).toEqual({ answer: 'once' });
});

test('a reason reaches the model', async () => {
  expect(await answer('N', 'too long', '\r')).toEqual({ answer: 'deny', reason: 'too long' });
});
