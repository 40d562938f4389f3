// What `haft init` and `haft new` write type-checks, passes its own tests and runs, with nothing changed by hand.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HaftHome } from '../../test/haft-process.js';

const haft = new HaftHome();
const project = join(haft.folder, 'My Agent');
const root = process.cwd();

/** What `npm install` would do, without a registry: links to the packages of this workspace. */
beforeAll(() => {
  mkdirSync(project);
  const links: Record<string, string> = {
    '@haft/cli': 'apps/cli',
    '@haft/core': 'packages/core',
    '@haft/plugin-fs': 'plugins/fs',
    '@haft/plugin-shell': 'plugins/shell',
    'class-validator': 'apps/cli/node_modules/class-validator',
    '@types/node': 'node_modules/@types/node',
  };
  for (const [name, target] of Object.entries(links)) {
    const path = join(haft.folder, 'node_modules', name);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(realpathSync(join(root, target)), path);
  }
});
afterAll(() => haft.remove());

function node(cwd: string, ...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, env: haft.env, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

/** Runs the package's own scripts, as npm would. */
function script(folder: string, name: string): { status: number | null; output: string } {
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
  const command = (scripts[name] ?? '').replace(/^tsc/, `"${process.execPath}" "${join(root, 'node_modules/typescript/bin/tsc')}"`);
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', command], { cwd: folder, env: haft.env, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

/** Every @haft package of the list is a folder that holds it, so that `npm install` needs no registry for it. */
function expectResolvable(folder: string, list: 'dependencies' | 'devDependencies'): void {
  const { [list]: named } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, Record<string, string>>;
  const own = Object.entries(named ?? {}).filter(([name]) => name.startsWith('@haft/'));
  expect(own.length).toBeGreaterThan(1);
  for (const [name, range] of own) {
    expect(JSON.parse(readFileSync(join(range.replace(/^file:/, ''), 'package.json'), 'utf8'))).toMatchObject({ name });
  }
}

describe('haft init', () => {
  beforeAll(async () => {
    expect(await haft.run(['init'], { cwd: project })).toMatchObject({ code: 0 });
  });

  test('the config that it wrote is agreed to, until somebody changes it', async () => {
    expect(await haft.run(['tools', 'list'], { cwd: project })).toMatchObject({ code: 0, stdout: expect.stringMatching(/count_lines/) });
    const path = join(project, 'agent.config.ts');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, `${text}// changed\n`);
    expect(await haft.run(['tools', 'list'], { cwd: project })).toMatchObject({ code: 5, stdout: '', stderr: expect.stringMatching(/changed/) });
    writeFileSync(path, text);
  });

  test('modules and keys are kept out of git', () => {
    expect(readFileSync(join(project, '.gitignore'), 'utf8').split('\n')).toEqual(expect.arrayContaining(['node_modules/', '.env']));
  });

  test('the project passes its tests and type-checks', () => {
    expect(script(project, 'test')).toMatchObject({ status: 0, output: expect.stringMatching(/# pass 4/) });
    expect(script(project, 'check')).toEqual({ status: 0, output: '' });
    expect((JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { name: string }).name).toBe('my-agent');
  });

  test('run from a clone, the dependencies are folders that are there, and it is said', async () => {
    const own = join(haft.folder, 'from-clone');
    mkdirSync(own);
    const { stderr } = await haft.run(['init'], { cwd: own });
    expect(stderr).toContain(`from ${root}/ (file:…)`);
    expectResolvable(own, 'dependencies');
  });

  test('its config loads, and its tool runs', async () => {
    writeFileSync(join(project, 'a.txt'), 'x\n\ny\n');
    const { stdout } = await haft.run(['--trust', 'tools', 'call', 'count_lines', '{"path":"a.txt"}', '--json'], { cwd: project });
    expect(JSON.parse(stdout)).toMatchObject({ status: 'success', data: { lines: 3, empty: 1 } });
  });

  test('a rule for a tool that no plugin brings does not compile', () => {
    const path = join(project, 'agent.config.ts');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace("'bash(git status)'", "'bsh(git status)'"));
    expect(script(project, 'check')).toMatchObject({ output: expect.stringMatching(/agent\.config\.ts.*'"bsh\(git status\)"' is not assignable/) });
    writeFileSync(path, text);
  });

  test('a second init writes nothing', async () => {
    const before = readFileSync(join(project, 'agent.config.ts'), 'utf8');
    expect(await haft.run(['init'], { cwd: project })).toMatchObject({ code: 2, stderr: expect.stringContaining('agent.config.ts') });
    expect(readFileSync(join(project, 'agent.config.ts'), 'utf8')).toBe(before);
  });
});

describe('haft new', () => {
  test('plugin: the package passes its tests, type-checks, builds, and works in a config', async () => {
    expect(await haft.run(['new', 'plugin', 'word-count'], { cwd: haft.folder })).toMatchObject({ code: 0 });
    const folder = join(haft.folder, 'haft-plugin-word-count');
    expectResolvable(folder, 'devDependencies');
    expect(readFileSync(join(folder, 'src/word-count.ts'), 'utf8')).toContain("@Tool('Word count: count");
    expect(script(folder, 'test')).toMatchObject({ status: 0, output: expect.stringMatching(/# pass 4/) });
    expect(script(folder, 'check')).toEqual({ status: 0, output: '' });
    expect(script(folder, 'build')).toEqual({ status: 0, output: '' });
    expect(existsSync(join(folder, 'dist/index.js'))).toBe(true);
    symlinkSync(folder, join(haft.folder, 'node_modules/haft-plugin-word-count'));
    const user = join(haft.folder, 'user');
    mkdirSync(user);
    writeFileSync(join(user, 'agent.config.ts'), `import { defineConfig } from '@haft/cli';\nimport { wordCount } from 'haft-plugin-word-count';\nexport default defineConfig({ plugins: [wordCount()], permissions: { allow: ['word_count'] } });\n`);
    const { stdout } = await haft.run(['--trust', 'tools', 'list', '--format', 'json'], { cwd: user });
    expect((JSON.parse(stdout) as { name: string }[]).map(({ name }) => name)).toEqual(['word_count']);
    await refusesManifest(folder, user);
  });

  /** What the package says of itself is held against this core before its code runs, and against its tools before anything is set up. */
  async function refusesManifest(folder: string, user: string): Promise<void> {
    const path = join(folder, 'package.json');
    const text = readFileSync(path, 'utf8');
    const change = (from: RegExp, to: string): void => writeFileSync(path, text.replace(from, to));
    writeFileSync(join(folder, 'dist/index.js'), `console.log('ran');\n${readFileSync(join(folder, 'dist/index.js'), 'utf8')}`);
    change(/"core": "[^"]*"/, '"core": "^99.0.0"');
    expect(await haft.run(['--trust', 'tools', 'list'], { cwd: user })).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/works with @haft\/core \^99\.0\.0/) });
    change(/"tools": \[[^\]]*\]/, '"tools": ["other"]');
    expect(await haft.run(['--trust', 'tools', 'list'], { cwd: user })).toMatchObject({ code: 2, stderr: expect.stringMatching(/word_count.*does not declare/) });
    writeFileSync(path, text);
  }

  test('tool: in a project, and in a plugin package', async () => {
    expect(await haft.run(['new', 'tool', 'FindThings'], { cwd: project })).toMatchObject({ code: 0, stderr: expect.stringMatching(/from '\.\/tools\/find-things\.js';\n.*add FindThings to the tools of the plugin 'own'/) });
    followNextText();
    expect((await haft.run(['--trust', 'tools', 'list'], { cwd: project })).stdout).toMatch(/find_things/);
    expect(script(project, 'check')).toEqual({ status: 0, output: '' });
    expect(node(project, '--import', '@haft/cli/register', '--test', 'tools/find-things.test.ts')).toMatchObject({ status: 0 });
    expect(await haft.run(['new', 'tool', 'second'], { cwd: join(haft.folder, 'haft-plugin-word-count') })).toMatchObject({ code: 0, stderr: expect.stringContaining('"haft.tools"') });
  });

  /** Does to the project's config what the command says. */
  function followNextText(): void {
    const path = join(project, 'agent.config.ts');
    const text = readFileSync(path, 'utf8').replace("<object, 'count_lines'>", "<object, 'count_lines' | 'find_things'>").replace('[CountLines]', '[CountLines, FindThings]');
    writeFileSync(path, `import { FindThings } from './tools/find-things.js';\n${text}`);
  }

  test('tool: where no plugin of the project is there yet, the text says how to write one', async () => {
    const bare = join(haft.folder, 'bare');
    mkdirSync(bare);
    expect((await haft.run(['new', 'tool', 'first'], { cwd: bare })).stderr).toContain("definePlugin({ name: 'own', tools: [First] })()");
  });

  test.each([['9lives'], ['../up'], ['a b!']])('%s cannot be a name', async (name) => {
    expect(await haft.run(['new', 'tool', name], { cwd: project })).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be a name') });
  });
});
