/** Writes a whole file. */
import { Param, Tool, type Preview, type ToolContext, ToolFailure, type ToolHandler, Workspace, detectText, quotePath } from '@haft/core';
import { ChangeHistory } from '../edit/change-history.js';
import { linkNotes } from '../edit/link-notes.js';
import type { Undoable } from '../edit/take-back.js';
import { whyNoText } from '../text/well-formed.js';

export interface WriteResult extends Undoable {
  created: boolean;
  bytes: number;
  lines: number;
  notes: string[];
}

/** With more, a diff costs more than it tells. */
const maxDiffChars = 2_000_000;

/** What a replaced file was like that the new content is not. */
function formNotes(before: Buffer | undefined, content: string): string[] {
  if (before === undefined || before.length === 0) return [];
  const verdict = detectText(before, true);
  const notes: string[] = [];
  if (verdict.kind === 'text' && verdict.format.encoding !== 'utf-8') notes.push(`It was ${verdict.format.encoding} text and is UTF-8 now.`);
  if (verdict.kind === 'text' && verdict.format.bom === 3 && !content.startsWith('\ufeff')) notes.push('Its byte order mark is gone.');
  if (before.includes('\r\n') && content.includes('\n') && !content.includes('\r\n')) notes.push('Its lines ended in CR LF and end in LF now.');
  return notes;
}

@Tool('Write a text file (UTF-8): creates it, with missing folders, or replaces all of its content. To change part of a file use edit_file.', {
  name: 'write_file', title: 'Write file', tags: ['file'], scopes: ['write'], destructive: true, timeoutMs: 60_000,
  examples: [{ path: 'notes/todo.md', content: '# To do\n' }],
})
export class WriteFile implements ToolHandler<WriteResult> {
  @Param('The file, relative to the workspace', { kind: 'path', access: 'write' })
  path!: string;

  @Param('The whole new content')
  content!: string;

  constructor(private readonly workspace: Workspace, private readonly history: ChangeHistory) {}

  check(): string | undefined {
    return whyNoText(this.content, 'content');
  }

  async preview(): Promise<Preview> {
    const { diffOfTexts } = await import('../edit/unified-diff.js');
    const before = (await this.currentContent())?.bytes;
    const lines = this.content.split('\n').length;
    if (before === undefined) return { title: `Create ${this.path}`, diff: diffOfTexts(this.path, '', this.content.slice(0, maxDiffChars)) ?? `${lines} lines` };
    if (detectText(before, true).kind !== 'text') return { title: `Replace ${this.path}`, text: `${before.length} bytes that are no text are replaced by ${lines} lines.` };
    if (before.equals(Buffer.from(this.content, 'utf8'))) return { title: `Replace ${this.path}`, text: 'The file holds exactly this already: nothing changes.' };
    const small = before.length + this.content.length < maxDiffChars;
    const diff = small ? diffOfTexts(this.path, before.toString('utf8'), this.content) : undefined;
    return { title: `Replace ${this.path}`, ...(diff === undefined ? { text: `All of its ${before.length} bytes are replaced by ${lines} lines.` } : { diff }) };
  }

  async execute(context: ToolContext): Promise<WriteResult> {
    return this.workspace.lock(this.path, async () => {
      const current = await this.currentContent();
      const before = current?.bytes;
      if (before !== undefined && (await this.workspace.changedSinceRead(context.sessionId, this.path))) {
        throw new ToolFailure('stale_file', `${quotePath(this.path)} changed since it was read: it was not overwritten. Read it again, then write, or use edit_file.`);
      }
      const bytes = Buffer.from(this.content, 'utf8');
      const outcome = await this.workspace.write(this.path, [bytes], { sessionId: context.sessionId, signal: context.signal, version: current?.version ?? 'none' });
      const undoId = this.history.keep({ path: outcome.relative, undo: before === undefined ? { kind: 'created' } : { kind: 'whole', before } });
      const lines = this.content === '' ? 0 : this.content.split('\n').length - (this.content.endsWith('\n') ? 1 : 0);
      return { path: outcome.relative, created: outcome.created, bytes: outcome.bytes, lines, notes: [...linkNotes(outcome.brokenLinks), ...formNotes(before, this.content)], undoId };
    });
  }

  async undo(result: WriteResult, context: ToolContext): Promise<void> {
    const { takeBack } = await import('../edit/take-back.js');
    await takeBack(this.workspace, this.history, result, context.sessionId);
  }

  toModel({ path, created, bytes, lines, notes }: WriteResult): string {
    return [`${created ? 'Created' : 'Replaced'} ${path}: ${lines} ${lines === 1 ? 'line' : 'lines'}, ${bytes} ${bytes === 1 ? 'byte' : 'bytes'}.`, ...notes].join(' ');
  }

  private async currentContent(): Promise<{ bytes: Buffer; version: string } | undefined> {
    const { exists } = await this.workspace.resolve(this.path, 'write');
    return exists ? this.workspace.readVersion(this.path) : undefined;
  }
}
