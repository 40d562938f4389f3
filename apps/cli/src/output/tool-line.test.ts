// The one line of a finished call.
import { expect, test } from '@jest/globals';
import type { ToolResult } from '@haft/core';
import { createColors } from './colors.js';
import { resultLine } from './tool-line.js';

function line(content: string): string {
  const result = { tool: 'read_file', callId: 'c', status: 'success', success: true, content, durationMs: 15, attempts: 1 } as unknown as ToolResult;
  return resultLine('read_file a.txt', result, createColors(false), 80);
}

test.each([
  ['1\thello', '✓ read_file a.txt 15 ms hello'],
  ['7\tone\n8\ttwo', '✓ read_file a.txt 15 ms one (+1 line)'],
  ['1\tone\n2\ttwo\n3\tthree', '✓ read_file a.txt 15 ms one (+2 lines)'],
  ['2024\tx\n1999\ty', '✓ read_file a.txt 15 ms 2024 x (+1 line)'],
  ['Done.', '✓ read_file a.txt 15 ms Done.'],
])('%j', (content, shown) => {
  expect(line(content).replace(/\s+/g, ' ')).toBe(shown);
});
