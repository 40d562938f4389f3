/** Searches the text of files. */
import { Param, Tool, type ToolContext, type ToolHandler, Workspace } from '@haft/core';
import { ProcessRunner } from '@haft/process';
import { IsInt, Max, Min, MinLength } from 'class-validator';
import { FsOptions } from '../fs-options.js';
import { formatGrep } from './format-grep.js';
import type { SearchResult } from './search-tree.js';

@Tool('Search the text of files for a regular expression, or for plain text with literal. Says how many matches there are and what was left out (hidden files, files ignored by git).', {
  name: 'grep', title: 'Search text', tags: ['file', 'search'], scopes: ['read'], idempotent: true, timeoutMs: 60_000, maxOutputChars: 100_000,
  examples: [{ pattern: 'TODO|FIXME', path: 'src' }, { pattern: 'foo(bar)', literal: true, include: '*.ts', context: 2 }],
})
export class Grep implements ToolHandler<SearchResult> {
  @Param('Regular expression (no look-around, no back-references); matched line by line') @MinLength(1)
  pattern!: string;

  @Param('The folder or file to search, relative to the workspace', { kind: 'path', access: 'read' })
  path: string = '.';

  @Param('Only files that fit this glob, e.g. "*.ts" or "src/**/*.test.ts"', { optional: true })
  include?: string;

  @Param('No file or folder that fits this glob', { optional: true })
  exclude?: string;

  @Param('Take the pattern as plain text')
  literal: boolean = false;

  @Param('Treat upper and lower case alike')
  ignore_case: boolean = false;

  @Param('Let a match go over several lines')
  multiline: boolean = false;

  @Param('Lines to show before and after each match') @IsInt() @Min(0) @Max(20)
  context: number = 0;

  @Param('Most matches to show') @IsInt() @Min(1) @Max(1_000)
  limit: number = 100;

  constructor(private readonly workspace: Workspace, private readonly runner: ProcessRunner, private readonly options: FsOptions) {}

  async execute(context: ToolContext): Promise<SearchResult> {
    // Loaded when first used: the engine is the largest part of this plugin.
    const { searchTree } = await import('./search-tree.js');
    const { pattern, path, include, exclude, literal, ignore_case: ignoreCase, multiline, context: contextLines, limit } = this;
    const request = { pattern, path, include, exclude, literal, ignoreCase, multiline, context: contextLines, limit };
    return searchTree(this.workspace, this.runner, request, context.signal, this.options.searcher);
  }

  toModel(result: SearchResult): string {
    return formatGrep(result);
  }
}
