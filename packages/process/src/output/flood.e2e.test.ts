// Whatever a command prints, the runner's memory stays bounded. Measured in a process of its own, so that nothing else counts.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const LIMIT_BYTES = 64 * 2 ** 20;

const floods: Record<string, { command: string; shows: RegExp }> = {
  'two gigabytes': { command: 'yes 0123456789abcdef | head -c 2000000000; echo END', shows: /^0123456789abcdef\n[^]*characters left out[^]*END\n$/ },
  'a million lines, one write each': { command: `perl -e '$| = 1; print "line $_\\n" for 1..1000000'`, shows: /^line 1\n[^]*\nline 1000000\n$/ },
  'one line of a hundred megabytes': { command: "head -c 100000000 /dev/zero | tr '\\0' z; echo; echo END", shows: /^zzz[^]*zzz\nEND\n$/ },
  'bytes that are no UTF-8': { command: 'head -c 50000000 /dev/urandom; echo; echo END', shows: /END\n$/ },
  'colours and redraws': { command: `perl -e 'print "\\e[32m", $_ % 100, "%\\e[0m\\r" for 1..3000000; print "\\ndone\\n"'`, shows: /^0%\ndone\n$/ },
  'an escape sequence without end': { command: "printf '\\033]0;'; head -c 30000000 /dev/zero | tr '\\0' z; printf '\\007END\\n'", shows: /END\n$/ },
  'rows of beginnings without end': { command: `perl -e 'for my $o ("\\xc2\\x90", "\\e]", "\\e[", "\\xc2\\x9b1;", "\\eP", "\\e[1;") { print $o x 3000000 } print "\\e\\\\\nEND\n"'`, shows: /END\n$/ },
  'both streams at once': { command: "(head -c 200000000 /dev/zero | tr '\\0' a >&2) & head -c 200000000 /dev/zero | tr '\\0' b; wait; echo END", shows: /^bbb[^]*END\n$/ },
};

const SCRIPT = `
import { readFileSync } from 'node:fs';
import { ProcessRunner } from ${JSON.stringify(fileURLToPath(new URL('../../dist/index.js', import.meta.url)))};
const runner = new ProcessRunner();
const run = (command) => runner.run({ argv: ['bash', '--noprofile', '--norc', '-c', command], cwd: '/', maxOutputChars: 4000 });
await run('head -c 1000000 /dev/zero');
const before = process.memoryUsage().rss;
const { stdout, exitCode } = await run(process.argv[1]);
// Not resourceUsage().maxRSS: that begins with the peak of the process that started this one.
const peak = Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) * 1024;
const growth = peak - before;
await runner.dispose();
console.log(JSON.stringify({ growth, exitCode, text: stdout.text }));
`;

test.each(Object.entries(floods))('%s', async (_, { command, shows }) => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT, '--', command], { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  for await (const chunk of child.stdout) printed += String(chunk);
  const { growth, exitCode, text } = JSON.parse(printed) as { growth: number; exitCode: number; text: string };
  expect(exitCode).toBe(0);
  expect(text).toMatch(shows);
  expect(text.length).toBeLessThan(4_100);
  expect(text).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
  expect(growth).toBeLessThan(LIMIT_BYTES);
}, 120_000);
