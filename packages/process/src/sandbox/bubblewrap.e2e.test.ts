// What people do in the sandbox must work; where it cannot confine, it must say so and why.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ProcessRunner } from '../process-runner.js';
import { createSandbox } from './choose-sandbox.js';
import { createBubblewrapSandbox } from './bubblewrap.js';
import type { Sandbox } from './sandbox.js';

let folder = '';
let sandbox: Sandbox;
const runner = new ProcessRunner();

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'haft-sandbox-')));
  sandbox = createSandbox({ root: folder });
});
afterAll(async () => {
  sandbox.dispose?.();
  await runner.dispose();
  rmSync(folder, { recursive: true, force: true });
});

function inside(command: string, cwd = folder) {
  return runner.run({ argv: ['/bin/bash', '--noprofile', '--norc', '-c', command], cwd, sandbox, timeoutMs: 60_000 });
}

test('the probe says what was tried and which limits hold', async () => {
  expect(await sandbox.probe()).toMatchObject({ ok: true, detail: expect.stringMatching(/self-test passed.*at most 512 processes/) });
});

describe('everyday work', () => {
  test('a repository is made, committed to and changed', async () => {
    const outcome = await inside('git init -q r && cd r && git config user.email a@b.c && git config user.name n && echo x >f && git add f && git commit -qm one && git log --oneline | wc -l');
    expect(outcome).toMatchObject({ exitCode: 0, stdout: { text: '1\n' } });
    const later = await inside('cd r && echo y >f && git commit -qam two && git checkout -q -b side && git stash list && git log --oneline | wc -l');
    expect(later).toMatchObject({ exitCode: 0, stdout: { text: '2\n' }, stderr: { text: '' } });
    expect(await inside('cd r && git config core.pager less')).toMatchObject({ exitCode: 4 });
  });

  test('commits carry the user’s name, whatever it holds, and a repository’s own name goes first', async () => {
    const named = createSandbox({ root: folder, gitIdentity: { name: 'A "B" \\ C', email: 'a@b.c' } });
    const run = (command: string) => runner.run({ argv: ['/bin/bash', '-c', command], cwd: folder, sandbox: named, timeoutMs: 60_000 });
    expect(await run('git init -q own && cd own && git commit -q --allow-empty -m x && git log -1 --format="%an <%ae>"')).toMatchObject({ exitCode: 0, stdout: { text: 'A "B" \\ C <a@b.c>\n' } });
    expect(await run('git init -q other && cd other && git config user.name Own && git commit -q --allow-empty -m x && git log -1 --format=%an')).toMatchObject({ exitCode: 0, stdout: { text: 'Own\n' } });
    named.dispose?.();
  });

  test('a linked worktree works; hooks, settings and other worktrees of its repository are protected', async () => {
    const base = realpathSync(mkdtempSync('/var/tmp/haft-worktree-'));
    const git = (...args: string[]): string => spawnSync('git', args, { cwd: join(base, 'main'), encoding: 'utf8' }).stdout.trim();
    mkdirSync(join(base, 'main'));
    for (const args of [['init', '-q'], ['config', 'user.name', 'n'], ['config', 'user.email', 'e@x.y'], ['commit', '-q', '--allow-empty', '-m', 'one'], ['worktree', 'add', '-q', '../tree'], ['worktree', 'add', '-q', '../other']]) git(...args);
    const before = readFileSync(join(base, 'main/.git/config'), 'utf8');
    const box = createSandbox({ root: join(base, 'tree') });
    const run = (command: string) => runner.run({ argv: ['/bin/bash', '-c', command], cwd: join(base, 'tree'), sandbox: box, timeoutMs: 60_000 });
    expect(await run('echo x >f && git add f && git commit -qm two && git status --short && git log --oneline | wc -l')).toMatchObject({ exitCode: 0, stdout: { text: '2\n' } });
    expect(git('log', '-1', '--format=%s', 'tree')).toBe('two');
    const common = join(base, 'main/.git');
    await run(`echo x >${common}/hooks/pre-commit; git config core.fsmonitor x; echo x >${common}/config; echo /evil >${common}/commondir; echo /evil >${common}/worktrees/other/commondir; echo /evil >${common}/worktrees/tree/commondir; echo 'gitdir: /evil' >.git; mv ${common}/worktrees ${common}/w; echo x >${base}/main/new; echo x >${base}/other/new`);
    expect(readFileSync(join(common, 'config'), 'utf8')).toBe(before);
    for (const path of ['hooks/pre-commit', 'commondir', 'w', '../new', '../../other/new']) expect(existsSync(join(common, path))).toBe(false);
    for (const tree of ['tree', 'other']) expect(readFileSync(join(common, 'worktrees', tree, 'commondir'), 'utf8')).toBe('../..\n');
    box.dispose?.();
    rmSync(base, { recursive: true });
  });

  test('a file that only points to somebody’s repository opens nothing', async () => {
    const base = realpathSync(mkdtempSync('/var/tmp/haft-worktree-'));
    spawnSync('sh', ['-c', 'mkdir main forged && cd main && git init -q && git -c user.name=n -c user.email=e commit -q --allow-empty -m x && git worktree add -q ../tree'], { cwd: base });
    writeFileSync(join(base, 'forged/.git'), `gitdir: ${base}/main/.git/worktrees/tree\n`);
    const box = createSandbox({ root: join(base, 'forged') });
    expect(await runner.run({ argv: ['/bin/bash', '-c', 'ls ../main/.git'], cwd: join(base, 'forged'), sandbox: box, timeoutMs: 60_000 })).toMatchObject({ exitCode: 2 });
    box.dispose?.();
    rmSync(base, { recursive: true });
  });

  test('node runs, with workers and wasm', async () => {
    const script = 'const {Worker}=require("worker_threads");new Worker("require(\\"worker_threads\\").parentPort.postMessage(1)",{eval:true}).on("message",async()=>{await WebAssembly.instantiate(new Uint8Array([0,97,115,109,1,0,0,0]));console.log("ok")})';
    expect(await inside(`node -e '${script}'`)).toMatchObject({ exitCode: 0, stdout: { text: 'ok\n' } });
  });

  test('pipes, process substitution, here documents, temporary files, named pipes', async () => {
    const outcome = await inside('cat <(echo a) - <<<b; t=$(mktemp); echo c >$t; cat $t; mkfifo q; (echo d >q &) ; cat q; seq 3 | sort -r | head -1; wait');
    expect(outcome).toMatchObject({ exitCode: 0, stdout: { text: 'a\nb\nc\nd\n3\n' } });
  });

  test('/tmp is private and new each time', async () => {
    await inside('echo x >/tmp/left');
    expect(await inside('ls /tmp/left')).toMatchObject({ exitCode: 2 });
  });

  test('a server can be started and reached inside', async () => {
    const script = 'const s=require("http").createServer((q,r)=>r.end("inner")).listen(0,"127.0.0.1",async()=>{console.log(await (await fetch("http://127.0.0.1:"+s.address().port)).text());process.exit()})';
    expect(await inside(`node -e '${script}'`)).toMatchObject({ stdout: { text: 'inner\n' } });
  });

  test('names and times of the machine are known', async () => {
    expect(await inside('id -un && getent passwd root | cut -d: -f1 && date +%Z')).toMatchObject({ exitCode: 0 });
  });

  test('files of the system are copies: whole, not to be changed, and nothing by which they came stays open', async () => {
    const names = ['/etc/passwd', '/etc/group', '/etc/nsswitch.conf', '/etc/ssl/openssl.cnf'].filter((path) => existsSync(path));
    const outcome = await inside(`cat ${names.join(' ')}; { echo x >>/etc/passwd || rm -f /etc/passwd || mv /etc/group /etc/g || chmod 666 /etc/group; } 2>/dev/null && echo BREACH; ls -1 /proc/self/fd >&2`);
    // The fourth is the folder that ls reads.
    expect(outcome).toMatchObject({ exitCode: 0, stdout: { text: names.map((path) => readFileSync(path, 'utf8')).join('') }, stderr: { text: '0\n1\n2\n3\n' } });
  });

  test('more folders can be read or written, with the same protection', async () => {
    const more = realpathSync(mkdtempSync('/var/tmp/haft-more-'));
    writeFileSync(join(more, '.env'), 'SECRET');
    const wider = createSandbox({ root: folder, writable: [more] });
    const outcome = await runner.run({ argv: ['/bin/bash', '-c', `echo x >${more}/made && cat ${more}/.env`], cwd: folder, sandbox: wider, timeoutMs: 60_000 });
    expect(outcome).toMatchObject({ exitCode: 1, stdout: { text: '' }, stderr: { text: expect.stringContaining('Permission denied') } });
    expect(existsSync(join(more, 'made'))).toBe(true);
    wider.dispose?.();
    rmSync(more, { recursive: true });
    expect(await createSandbox({ root: folder, writable: ['/etc'] }).probe()).toMatchObject({ ok: false, cause: expect.stringContaining('folder of the system') });
  });

  test('sockets: those of programs outside cannot be connected to, those of other commands can', async () => {
    let connections = 0;
    const outside = createServer(() => { connections += 1; });
    await new Promise<void>((resolve) => { outside.listen(join(folder, 'outside.sock'), resolve); });
    const dial = (name: string): string => `node -e 'require("net").connect("${name}").on("data", (d) => { console.log(String(d)); process.exit() }).on("error", (e) => { console.log(e.code); process.exit(1) })'`;
    const job = await runner.start({ argv: ['/bin/bash', '-c', `node -e 'require("net").createServer((s) => s.end("inner")).listen("job.sock", () => console.log("ready"))'`], cwd: folder, sandbox });
    while (!job.output().stdout.text.includes('ready')) await sleep(10);
    expect(await inside(dial('job.sock'))).toMatchObject({ exitCode: 0, stdout: { text: 'inner\n' } });
    expect(await inside(dial('outside.sock'))).toMatchObject({ exitCode: 1, stdout: { text: expect.stringMatching(/^(?:EACCES|ECONNREFUSED)\n$/) } });
    expect(connections).toBe(0);
    job.kill();
    await job.outcome;
    outside.close();
    expect(await inside('rm job.sock')).toMatchObject({ exitCode: 0 });
  });

  test('a variable cannot smuggle arguments in', async () => {
    const outcome = await runner.run({ argv: ['/bin/bash', '-c', 'true'], cwd: folder, sandbox, env: { X: 'a\0--bind\0/\0/' } });
    expect(outcome).toMatchObject({ reason: 'spawn_failed', error: expect.stringContaining('NUL') });
  });

  test('many commands at once', async () => {
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, index) => inside(`echo ${index}`)));
    expect(outcomes.map(({ stdout }) => stdout.text)).toEqual(outcomes.map((_, index) => `${index}\n`));
  });
});

describe('refusals name the cause', () => {
  test.each(['/', '/usr', '/etc', '/home', '/tmp', '/var', '/proc', '/dev/shm'])('a workspace at %s', async (root) => {
    expect(await createBubblewrapSandbox({ root }).probe()).toMatchObject({ ok: false, cause: expect.stringContaining('folder of the system') });
  });

  test('a workspace that is not there', async () => {
    expect(await createBubblewrapSandbox({ root: '/no/such' }).probe()).toMatchObject({ ok: false, cause: expect.stringContaining('no such') });
  });

  test('a command beside one that made something in need of protection', async () => {
    const job = await runner.start({ argv: ['/bin/bash', '-c', 'mkdir -p made && echo x >made/.env && echo ready; sleep 60'], cwd: folder, sandbox });
    while (!job.output().stdout.text.includes('ready')) await sleep(10);
    expect(await inside('true')).toMatchObject({ reason: 'spawn_failed', error: expect.stringContaining('made/.env needs protection') });
    job.kill();
    await job.outcome;
    expect(await inside('cat made/.env')).toMatchObject({ exitCode: 1, stderr: { text: expect.stringContaining('Permission denied') } });
    expect(await inside('mv made moved')).toMatchObject({ exitCode: 1, stderr: { text: expect.stringContaining('busy') } });
  });

  test('a working directory outside', async () => {
    expect(await inside('pwd', '/usr/bin/..')).toMatchObject({ reason: 'spawn_failed', error: expect.stringContaining('outside the sandbox') });
  });
});

/** Probes in a mount namespace that a script has changed first; one who is not root becomes root of a user namespace for it. */
describe('on other machines', () => {
  test.each([
    ['bubblewrap cannot be run', 'mount --bind /dev/null /usr/bin/bwrap', { ok: false, cause: expect.stringMatching(/bwrap/) }],
    ['/proc is masked, as in a container', 'mount -t tmpfs none /proc/fs', { ok: true, detail: expect.stringContaining('without /proc') }],
  ])('%s', (_, change, expected) => {
    const script = join(folder, 'probe.mjs');
    writeFileSync(script, `import { createBubblewrapSandbox } from ${JSON.stringify(fileURLToPath(new URL('../../dist/index.js', import.meta.url)))};
const sandbox = createBubblewrapSandbox({ root: ${JSON.stringify(folder)} });
console.log(JSON.stringify(await sandbox.probe()));
sandbox.dispose();`);
    const become = process.getuid?.() === 0 ? [] : ['--map-root-user'];
    const { stdout } = spawnSync('/usr/bin/unshare', [...become, '--mount', '--propagation', 'private', 'sh', '-c', `${change} >&2; exec "$0" "$1"`, process.execPath, script], { encoding: 'utf8' });
    expect(JSON.parse(stdout)).toMatchObject(expected);
  });
});
