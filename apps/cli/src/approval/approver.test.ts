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

/** Presses the keys one after the other, each until something is written: a key that comes right behind a question is no answer to it. */
async function answer(...keys: string[]): Promise<ApprovalAnswer> {
  const input = new PassThrough();
  const output = Object.assign(new PassThrough(), { columns: 80, rows: 24 });
  let written = 0;
  output.on('data', (chunk: Buffer) => void (written += chunk.length));
  const keyboard = new Keyboard(input as never);
  const terminal = new Terminal({ stdin: {}, stdout: output, stderr: output, env: {} } as never);
  const approver = new TerminalApprover({ terminal, keyboard, editor: new LineEditor(keyboard, output as never), onInterrupt: () => undefined });
  const answered = approver.ask(request, new AbortController().signal);
  while (written === 0) await sleep(5);
  for (const key of keys) {
    for (const before = written; written === before; await sleep(20)) input.write(key);
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
