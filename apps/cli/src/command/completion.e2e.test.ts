// The completion scripts, run in a real bash.
import { afterAll, expect, test } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HaftHome } from '../../test/haft-process.js';

const haft = new HaftHome();
afterAll(() => haft.remove());

async function complete(...words: string[]): Promise<string[]> {
  const path = join(haft.folder, 'completion.bash');
  writeFileSync(path, (await haft.run(['completion', 'bash'])).stdout);
  const line = words.map((word) => `'${word}'`).join(' ');
  const script = `source ${path}; COMP_WORDS=(haft ${line}); COMP_CWORD=${words.length}; _haft; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('/bin/bash', ['--noprofile', '--norc', '-c', script], { encoding: 'utf8' }).split('\n').filter(Boolean);
}

test('commands, their subcommands, flags and the values of flags', async () => {
  expect(await complete('to')).toEqual(['tools']);
  expect(await complete('tools', '')).toEqual(expect.arrayContaining(['list', 'call', 'run', 'search']));
  expect(await complete('--quiet', 'sessions', 'ex')).toEqual(['export']);
  expect(await complete('--permission-mode', 're')).toEqual(['read-only']);
  expect(await complete('tools', 'list', '--form')).toEqual(['--format']);
  expect(await complete('tools', 'list', '--format', 'openai')).toEqual(['openai', 'openai-strict']);
  expect(await complete('tools', 'call', '--out')).toEqual(['--output-format']);
});

test('an unknown shell is refused; zsh and fish get a script', async () => {
  expect(await haft.run(['completion', 'tcsh'])).toMatchObject({ code: 2, stderr: expect.stringContaining('bash, zsh, fish') });
  expect((await haft.run(['completion', 'fish'])).stdout).toMatch(/complete -c haft -n '__fish_use_subcommand' -f -a tools/);
  const zsh = (await haft.run(['completion', 'zsh'])).stdout;
  expect(zsh).toMatch(/bashcompinit/);
  expect(spawnSync('/bin/bash', ['-n'], { input: zsh.split('\n').slice(1).join('\n') }).status).toBe(0);
});
