// Starting: a process with 100 tools, with its peak memory, and the prompt of `haft` on a terminal.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { heavyNode, heavyStarters } from '../contestants/heavy.mjs';

const folder = dirname(dirname(fileURLToPath(import.meta.url)));
const starters = ['floor', 'node', 'class-validator import', 'haft', 'ai-sdk', 'anthropic runner', 'openai zodFunction', 'openai agents', 'langchain', 'mcp sdk', 'class-validator-jsonschema'];
/** Parts of what others do, to be read off, not to be compared with. */
const references = new Set(['node', 'class-validator import']);

export function startWorkload({ quick }) {
  const names = quick || heavyNode() === undefined ? starters : [...starters, ...heavyStarters];
  const contestants = names.map((starter) => ({ name: starter, run: () => runProcess('hundred-tools.mjs', starter), figure: 'wall', reference: references.has(starter), memory: 'peakMb' }));
  const check = (result, contestant) => assert.ok(result.bytes > 500, `${contestant} listed ${result.bytes} bytes`);
  return { name: 'start', what: 'process start, 100 tools of 6 parameters, the list for a provider', unit: 'µs', rounds: 12, warm: 1, contestants, check };
}

/** Runs one of `processes/` for a contestant; resolves with what it prints last. */
export function runProcess(script, contestant) {
  const { stdout, stderr, status } = spawnSync(heavyStarters.includes(contestant) ? heavyNode() : process.execPath, [join(folder, 'processes', script), contestant], { encoding: 'utf8' });
  assert.equal(status, 0, `${contestant}: ${stderr}`);
  return JSON.parse(stdout.trim().split('\n').at(-1));
}

/** A pseudo-terminal comes from util-linux's `script`. */
export async function promptWorkload() {
  const place = mkdtempSync(join(tmpdir(), 'haft-bench-prompt-'));
  const haft = join(dirname(folder), 'apps', 'cli', 'bin', 'haft.js');
  const contestants = [
    { name: 'floor', run: () => onTerminal(place, '-e 0'), figure: 'shownMs' },
    { name: 'haft', run: () => onTerminal(place, haft, /^> $/m), figure: 'shownMs', close: () => rmSync(place, { recursive: true, force: true }) },
  ];
  const check = ({ status, text }, name) => {
    assert.equal(status, 0, `${name}: ${text}`);
    if (name === 'haft') assert.match(text, /\/help\s+lists\s+commands/);
  };
  return { name: 'prompt', what: '`haft` on a terminal until its prompt is drawn; the floor is `node -e 0` there', unit: 'µs', rounds: 20, warm: 2, contestants, check };
}

/** Until `wanted` is on the screen, after which "q" is typed; without it, until the end. */
function onTerminal(cwd, command, wanted) {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn('script', ['-qfec', `'${process.execPath}' ${command}`, '/dev/null'], { cwd, env: { PATH: process.env.PATH, TERM: 'xterm', HAFT_HOME: join(cwd, 'state') } });
    const guard = setTimeout(() => child.kill('SIGKILL'), 60_000);
    let [text, shownMs] = ['', undefined];
    child.stdout.on('data', (chunk) => {
      text += stripVTControlCharacters(String(chunk));
      if (shownMs !== undefined || wanted === undefined || !wanted.test(text)) return;
      shownMs = performance.now() - started;
      child.stdin.write('q\r');
    });
    child.on('error', reject).on('close', (status) => {
      clearTimeout(guard);
      resolve({ status, text, shownMs: shownMs ?? performance.now() - started });
    });
  });
}
