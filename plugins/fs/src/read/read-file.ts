/** Reads a text file by lines, or an image. */
import { type ContentPart, Param, Tool, type ToolContext, type ToolHandler, Workspace } from '@haft/core';
import { IsInt, Max, Min } from 'class-validator';
import { type ReadImageResult, readImage } from './read-image.js';
import { type ReadTextResult, formatRead, readText } from './read-text.js';
import { readHead } from './text-source.js';

@Tool('Read a file: text by lines, each with its number, or an image. Says how many lines there are and how to read on.', {
  name: 'read_file', title: 'Read file', tags: ['file'], scopes: ['read'], idempotent: true, timeoutMs: 60_000, maxOutputChars: 100_000,
  examples: [{ path: 'README.md' }, { path: 'src/main.ts', offset: 120, limit: 40 }],
})
export class ReadFile implements ToolHandler<ReadTextResult | ReadImageResult> {
  @Param('The file, relative to the workspace', { kind: 'path', access: 'read' })
  path!: string;

  @Param('First line to read, counted from 1') @IsInt() @Min(1)
  offset: number = 1;

  @Param('Most lines to read') @IsInt() @Min(1) @Max(100_000)
  limit: number = 2_000;

  @Param('First character to read of the first line, counted from 1; to go on in a long line') @IsInt() @Min(1)
  column: number = 1;

  @Param('Encoding of the file, when it cannot be told from its bytes', { optional: true, examples: ['gb18030', 'windows-1252'] })
  encoding?: string;

  constructor(private readonly workspace: Workspace) {}

  async execute(context: ToolContext): Promise<ReadTextResult | ReadImageResult> {
    const file = await this.workspace.openFile(this.path);
    try {
      const { path, offset, limit, column, encoding } = this;
      const head = readHead(file);
      const image = readImage(file, head, path);
      const result = image ?? (await readText(file, head, this.workspace, { path, offset, limit, column, encoding }, context.signal));
      this.workspace.noteRead(context.sessionId, file);
      return result;
    } finally {
      file.close();
    }
  }

  toModel(result: ReadTextResult | ReadImageResult): string | ContentPart[] {
    if (result.kind === 'text') return formatRead(result);
    return [
      { type: 'text', text: `${result.path}: ${result.mediaType}, ${result.width} × ${result.height}, ${result.bytes} bytes.` },
      { type: 'image', mediaType: result.mediaType, data: result.data },
    ];
  }
}
