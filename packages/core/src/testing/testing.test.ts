// The test bench and the matchers that tool authors use.
import { describe, expect, test } from '@jest/globals';
import { IsInt, Min } from 'class-validator';
import { ToolFailure } from '../errors.js';
import { Param } from '../tool/param.decorator.js';
import { Tool } from '../tool/tool.decorator.js';
import { Workspace } from '../workspace/workspace.js';
import { describeTools } from './describe-tools.js';
import { expectTool, toolMatchers } from './expect-tool.js';
import { fakeClock } from './fake-clock.js';
import { ToolBench } from './tool-bench.js';

@Tool('Counts the lines of a file.', { scopes: ['read'], retry: { attempts: 2, on: ['error'] } })
class CountLines {
  @Param('File', { kind: 'path', access: 'read' }) path!: string;
  @Param('At least') @IsInt() @Min(0) least: number = 0;
  constructor(private readonly workspace: Workspace) {}
  async execute() {
    const lines = (await this.workspace.readFile(this.path)).toString().split('\n').length - 1;
    if (lines < this.least) throw new ToolFailure('out_of_range', `only ${lines} lines`);
    return { lines };
  }
}

describe('a tool under test', () => {
  test('runs in a workspace of its own, with a clock that never waits, and its results are judged', async () => {
    const clock = fakeClock();
    const bench = await ToolBench.open({ tools: [CountLines], dispatcher: { clock } });
    bench.put('a.txt', 'one\ntwo\n');
    const good = await bench.call('count_lines', { path: 'a.txt' });
    const short = await bench.call('count_lines', { path: 'a.txt', least: 3 });
    expectTool(good).toSucceedWith({ lines: 2 });
    expectTool(short).toFailWith('out_of_range', 'only 2');
    expect(clock.slept).toEqual([200]);
    bench.close();
    expect(() => expectTool(good).toFailWith('not_found')).toThrow('succeeded with {"lines":2}');
    expect(() => expectTool(good).toSucceedWith({ lines: 3 })).toThrow('succeeded with {"lines":2}, not with {"lines":3}');
    expect(() => expectTool(short).toSucceedWith()).toThrow('failed with out_of_range: only 2 lines');
    expect(() => expectTool(short).toFailWith('out_of_range', /^many/)).toThrow('only 2 lines');
    expect(toolMatchers.toSucceedWith.call({ equals: (a, b) => JSON.stringify(a) === JSON.stringify(b) }, good, { lines: 2 }).pass).toBe(true);
  });

  test('is described as models see it', () => {
    expect(describeTools([CountLines])).toEqual([
      {
        name: 'count_lines',
        description: 'Counts the lines of a file.',
        scopes: ['read'],
        idempotent: true,
        destructive: false,
        parameters: expect.objectContaining({
          type: 'object',
          required: ['path'],
          additionalProperties: false,
          properties: { path: expect.objectContaining({ type: 'string', description: 'File' }), least: expect.objectContaining({ type: 'integer', minimum: 0, default: 0 }) },
        }),
      },
    ]);
  });
});
