// Lists the open points of a text, a file, or all files of a folder.
import { Param, Tool, type ToolContext, ToolFailure, Workspace } from '@haft/core';
import { IsInt, Max, Min } from 'class-validator';
import { type TodoItem, todoItems } from './todo-items.js';

const skipped = new Set(['node_modules', '.git', 'dist', 'coverage']);
const largestBytes = 512 * 1024;

@Tool('List the open points (TODO, FIXME, ACTION, unticked boxes) of a text, of a file, or of all files of a folder.', {
  name: 'extract_todo_items',
  scopes: ['read'],
  idempotent: true,
  timeoutMs: 30_000,
  examples: [{ path: 'src' }, { text: 'ACTION: call Ann by 2026-03-01' }],
})
export class ExtractTodoItems {
  @Param('File or folder to look in', { kind: 'path', access: 'read', optional: true })
  path?: string;

  @Param('Text to look in, in place of a path', { optional: true })
  text?: string;

  @Param('Most items to return') @IsInt() @Min(1) @Max(500)
  limit: number = 100;

  constructor(private readonly workspace: Workspace) {}

  check(): string | undefined {
    return (this.path === undefined) === (this.text === undefined) ? 'give either path or text' : undefined;
  }

  async execute(context: ToolContext): Promise<{ found: number; items: (TodoItem & { path?: string })[] }> {
    const items = this.text === undefined ? await this.inPath(this.path ?? '.', context) : todoItems(this.text);
    return { found: items.length, items: items.slice(0, this.limit) };
  }

  private async inPath(path: string, context: ToolContext): Promise<(TodoItem & { path: string })[]> {
    context.signal.throwIfAborted();
    const { kind, size } = await this.workspace.stat(path);
    if (kind === 'file') return size > largestBytes ? [] : this.inFile(path);
    if (kind !== 'directory') throw new ToolFailure('not_a_file', `${path} is neither a file nor a folder.`);
    const { entries } = await this.workspace.list(path);
    const found = [];
    for (const entry of entries) {
      if (skipped.has(entry.name) || (entry.kind !== 'file' && entry.kind !== 'directory')) continue;
      const inside = path === '.' ? entry.name : `${path}/${entry.name}`;
      if (!this.workspace.isDenied(inside)) found.push(...(await this.inPath(inside, context)));
    }
    return found;
  }

  private async inFile(path: string): Promise<(TodoItem & { path: string })[]> {
    const bytes = await this.workspace.readFile(path);
    return bytes.includes(0) ? [] : todoItems(bytes.toString('utf8')).map((item) => ({ path, ...item }));
  }
}
