// A tool and its test.
import type { Names } from './names.js';

/** `NAME.ts` and `NAME.test.ts`. */
export function toolFiles(names: Names): Record<string, string> {
  return { [`${names.kebab}.ts`]: tool(names), [`${names.kebab}.test.ts`]: test(names) };
}

function tool({ pascal, snake }: Names): string {
  return `// The fields are the parameters, the constructor the services, execute the action.
import { Param, Tool, type ToolContext, ToolFailure, Workspace } from '@haft/core';
import { IsInt, Max, Min } from 'class-validator';

@Tool('Count the lines of a text file, and how many of them are empty.', {
  name: '${snake}',
  scopes: ['read'],
  idempotent: true,
  timeoutMs: 10_000,
  examples: [{ path: 'README.md' }],
})
export class ${pascal} {
  @Param('File to count', { kind: 'path', access: 'read' })
  path!: string;

  @Param('Most lines that the file may have') @IsInt() @Min(1) @Max(1_000_000)
  limit: number = 100_000;

  constructor(private readonly workspace: Workspace) {}

  async execute(context: ToolContext): Promise<{ lines: number; empty: number }> {
    context.signal.throwIfAborted();
    const text = (await this.workspace.readFile(this.path)).toString('utf8');
    const lines = text.replace(/\\n$/, '').split('\\n');
    if (lines.length > this.limit) throw new ToolFailure('file_too_large', \`\${this.path} has \${lines.length} lines, more than \${this.limit}.\`);
    return { lines: lines.length, empty: lines.filter((line) => line.trim() === '').length };
  }
}
`;
}

function test({ pascal, snake, kebab }: Names): string {
  return `// Runs the tool over the real dispatcher, in a workspace of its own.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ToolBench } from '@haft/core/testing';
import { ${pascal} } from './${kebab}.js';

let bench: ToolBench;

before(async () => {
  bench = await ToolBench.open({ tools: [${pascal}] });
  bench.put('a.txt', 'one\\n\\nthree\\n');
});
after(() => bench.close());

test('counts lines', async () => {
  const { data } = await bench.call('${snake}', { path: 'a.txt' });
  assert.deepEqual(data, { lines: 3, empty: 1 });
});

test('refuses a file with more lines than the limit', async () => {
  assert.equal((await bench.failure('${snake}', { path: 'a.txt', limit: 2 })).code, 'file_too_large');
});

test('refuses a wrong argument by name', async () => {
  const { code, text } = await bench.failure('${snake}', { path: 'a.txt', limit: 0 });
  assert.equal(code, 'invalid_arguments');
  assert.match(text, /limit/);
});

test('stays inside the workspace', async () => {
  assert.equal((await bench.failure('${snake}', { path: '../outside.txt' })).code, 'path_outside_workspace');
});
`;
}
