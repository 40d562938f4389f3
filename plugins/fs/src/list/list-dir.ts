/** Lists what is in a folder. */
import { Param, Tool, type ToolContext, type ToolHandler, Workspace } from '@haft/core';
import { IsInt, Max, Min } from 'class-validator';
import { type ListResult, formatList, listTree } from './list-tree.js';

@Tool('List the files and folders in a folder, hidden ones included. Folders end in "/", links in "@".', {
  name: 'list_dir', title: 'List folder', tags: ['file', 'search'], scopes: ['read'], idempotent: true, timeoutMs: 30_000, maxOutputChars: 100_000,
  examples: [{ path: 'src', depth: 2 }],
})
export class ListDir implements ToolHandler<ListResult> {
  @Param('The folder, relative to the workspace', { kind: 'path', access: 'read' })
  path: string = '.';

  @Param('How many levels to list; 1 is the folder itself') @IsInt() @Min(1) @Max(20)
  depth: number = 1;

  constructor(private readonly workspace: Workspace) {}

  async execute(context: ToolContext): Promise<ListResult> {
    return listTree(this.workspace, this.path, this.depth, context.signal);
  }

  toModel(result: ListResult): string {
    return formatList(result);
  }
}
