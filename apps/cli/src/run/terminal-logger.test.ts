// What of a log reaches the person at the terminal.
import { expect, test } from '@jest/globals';
import { Terminal } from '../output/terminal.js';
import { terminalLogger } from './terminal-logger.js';

function logged(verbose: boolean): string {
  let text = '';
  const stderr = { write: (part: string): boolean => ((text += part), true) };
  const log = terminalLogger(new Terminal({ stdin: {}, stdout: stderr, stderr, env: {}, verbose }));
  log.debug('detail');
  log.warn('careful');
  log.error('tool x failed unexpectedly: boom', { stack: 'Error: boom\n    at x.ts:1:1' });
  return text;
}

test('an error is told in short, with the flag that shows the rest', () => {
  expect(logged(false)).toBe('warning: careful\nerror: tool x failed unexpectedly: boom (--verbose shows the details)\n');
});

test('--verbose shows everything', () => {
  expect(logged(true)).toMatch(/debug: detail\n.*error: tool x failed unexpectedly: boom \nError: boom\n {4}at x\.ts:1:1\n$/s);
});
