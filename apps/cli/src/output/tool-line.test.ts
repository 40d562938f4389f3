// The one line of a finished call.
import { expect, test } from '@jest/globals';
import type { ToolResult } from '@haft/core';
import { createColors } from './colors.js';
import { callTitle, resultLine } from './tool-line.js';

function line(content: string): string {
  const result = { tool: 'read_file', callId: 'c', status: 'success', success: true, content, durationMs: 15, attempts: 1 } as unknown as ToolResult;
  return resultLine('read_file a.txt', result, createColors(false), 80);
}

test.each([
  ['1\thello', '✓ read_file a.txt 15 ms hello'],
  ['7\tone\n8\ttwo', '✓ read_file a.txt 15 ms one (+1 line)'],
  ['1\tone\n2\ttwo\n3\tthree', '✓ read_file a.txt 15 ms one (+2 lines)'],
  ['2024\tx\n1999\ty', '✓ read_file a.txt 15 ms 2024 x (+1 line)'],
  ['1\tone\n2\ttwo\n[Lines 1-2 of 2.]', '✓ read_file a.txt 15 ms one (+1 line)'],
  ['[No match in 1 file.]', '✓ read_file a.txt 15 ms [No match in 1 file.]'],
  ['Done.', '✓ read_file a.txt 15 ms Done.'],
])('%j', (content, shown) => {
  expect(line(content).replace(/\s+/g, ' ')).toBe(shown);
});

test('a call that got no further than its text is named like any other', () => {
  expect(callTitle('read_file', '{"path":"a.txt"}')).toBe('read_file a.txt');
  expect(callTitle('read_file', '{}')).toBe('read_file');
  expect(callTitle('read_file', '{"path":')).toBe('read_file {"path":');
});

test('what went wrong is never cut: it goes on below the line', () => {
  const failed = { callId: 'c', tool: 'x', status: 'error', success: false, code: 'not_found', error: 'words '.repeat(20).trim(), content: '', durationMs: 3, queuedMs: 0, retryCount: 0 } as const;
  const lines = resultLine('x a.txt', failed, createColors(false), 40).split('\n');
  expect(lines[0]).toBe('✗ x a.txt 3 ms not_found');
  expect(lines.slice(1).join(' ').match(/words/g)).toHaveLength(20);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(40);
});
