// What hosts are told of the tools for background jobs.
import { defineTool, toMcp } from '@haft/core';
import { expect, test } from '@jest/globals';
import { BashKill, BashOutput } from './bash-jobs.js';

test('ending a job is shown as destructive, and reading its output as nothing to be repeated: what was read is gone', () => {
  expect(toMcp(defineTool(BashKill)).annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true, idempotentHint: true });
  expect(toMcp(defineTool(BashOutput)).annotations).toMatchObject({ readOnlyHint: true, idempotentHint: false });
});
