// The loader runs in a process of its own, as it does for a user: jest's own transforms must not help it.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const loader = pathToFileURL(join(process.cwd(), 'apps/cli/build/loader/load-module.js')).href;
const core = join(process.cwd(), 'packages/core');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'haft-loader-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** Loads `file` in a child process and runs `then` on its exports `m`; the child's stdout as JSON. */
function load(file: string, then = 'Object.keys(m)'): { value?: unknown; message?: string; remedy?: string } {
  const code = `
    import { loadModule } from ${JSON.stringify(loader)};
    try {
      const m = await loadModule(${JSON.stringify(join(folder, file))});
      console.log(JSON.stringify({ value: await (${then}) }));
    } catch (error) { console.log(JSON.stringify({ message: error.message, remedy: error.remedy })); }`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8', cwd: folder })) as ReturnType<typeof load>;
}

const decorator = 'const mark = (): any => () => {};\n';

describe('TypeScript without a build step', () => {
  test('decorated fields, constructor types and files imported as .js, .ts or without ending', () => {
    write({
      'service.ts': 'export class Service { name = "service"; }',
      'deep/types.ts': 'export interface Thing { a: number }',
      'config.ts': `import 'reflect-metadata';
import { IsInt } from 'class-validator';
import { Service } from './service.js';
import type { Thing } from './deep/types';
${decorator}
@mark() class Tool { @mark() @IsInt() count: number = 3; @mark() text!: string; constructor(readonly service: Service) {} }
const thing: Thing = { a: 1 };
export const seen = [
  Reflect.getMetadata('design:type', Tool.prototype, 'count').name,
  Reflect.getMetadata('design:type', Tool.prototype, 'text').name,
  Reflect.getMetadata('design:paramtypes', Tool)[0].name,
  thing.a,
];`,
    });
    expect(load('config.ts', 'm.seen')).toEqual({ value: ['Number', 'String', 'Service', 1] });
  });

  test('stack traces are in lines of the .ts file', () => {
    write({ 'throws.ts': 'interface A { a: 1 }\n\nexport function boom(): never {\n  const a: A = { a: 1 };\n  throw new Error(String(a.a));\n}\n' });
    const stack = load('throws.ts', '(() => { try { m.boom(); } catch (error) { return error.stack; } })()').value;
    expect(stack).toContain('throws.ts:5:9');
  });

  test('there is one copy of core, even where the project has its own', () => {
    write({
      'node_modules/@haft/core/package.json': '{ "name": "@haft/core", "type": "module", "exports": "./index.js" }',
      'node_modules/@haft/core/index.js': 'export class SetupError extends Error {}',
      'core.ts': "import { SetupError } from '@haft/core';\nexport { SetupError };",
    });
    const own = pathToFileURL(join(core, 'dist/index.js')).href;
    expect(load('core.ts', `import(${JSON.stringify(own)}).then((core) => core.SetupError === m.SetupError)`)).toEqual({ value: true });
  });
});

describe('what goes wrong is explained', () => {
  test('classes that refer to each other', () => {
    write({ 'circle.ts': `${decorator}export class A { @mark() b!: B; }\nexport class B { @mark() a!: A; }` });
    const { message, remedy } = load('circle.ts');
    expect(message).toMatch(/Cannot load .*circle\.ts: Cannot access 'B' before initialization \(.*circle\.ts:2:\d+\)/);
    expect(remedy).toContain('type: () => TheClass');
  });

  test('an interface imported as a value', () => {
    write({
      'thing.ts': 'export interface Thing { a: 1 }',
      'interface.ts': `import { Thing } from './thing.js';\n${decorator}@mark() export class A { constructor(readonly thing: Thing) {} }`,
    });
    expect(load('interface.ts').remedy).toContain('import type');
  });

  test('a syntax error names file, line and column, and shows no stack', () => {
    write({ 'syntax.ts': 'export default {\n  a: 1,\n  b: [1,\n};\n' });
    const { message } = load('syntax.ts');
    expect(message).toMatch(/syntax\.ts:4:1: Expression expected/);
    expect(message).not.toMatch(/\n|backtrace/);
  });

  test('a missing package', () => {
    write({ 'missing.ts': "import 'no-such-package-here';" });
    expect(load('missing.ts')).toMatchObject({ message: expect.stringContaining('no-such-package-here'), remedy: expect.stringContaining('Install') });
  });

  test('an error thrown by the module itself keeps its message and place', () => {
    write({ 'own.ts': 'const a: number = 1;\nthrow new Error(`my own ${a}`);' });
    expect(load('own.ts').message).toMatch(/my own 1 \(.*own\.ts:2:7\)/);
  });
});
