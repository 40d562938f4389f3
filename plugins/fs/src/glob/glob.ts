/** Finds files by name. */
import { Param, Tool, type Access, type ToolContext, type ToolHandler, Workspace } from '@haft/core';
import { MinLength } from 'class-validator';
import { type GlobResult, findFiles, splitGlob } from './find-files.js';
import { formatGlob } from './format-glob.js';

@Tool('Find files whose path matches a glob, e.g. "src/**/*.ts". Files ignored by git and hidden ones are found where the pattern names them; what was left out is said.', {
  name: 'glob', title: 'Find files', tags: ['file', 'search'], scopes: ['read'], idempotent: true, timeoutMs: 60_000, maxOutputChars: 100_000,
  examples: [{ pattern: '**/*.ts' }, { pattern: '*.md', path: 'docs' }],
})
export class Glob implements ToolHandler<GlobResult> {
  @Param('Glob over paths: * and ? within a name, ** across folders, {a,b}, [a-z]') @MinLength(1)
  pattern!: string;

  @Param('The folder to search, relative to the workspace', { kind: 'path', access: 'read' })
  path: string = '.';

  constructor(private readonly workspace: Workspace) {}

  /** The folder that the pattern itself leads to. */
  access(): Access[] {
    return [{ kind: 'path', mode: 'read', value: splitGlob(this.pattern, this.path).base }];
  }

  async execute(context: ToolContext): Promise<GlobResult> {
    return findFiles(this.workspace, this.pattern, this.path, context.signal);
  }

  toModel(result: GlobResult): string {
    return formatGlob(result);
  }
}
