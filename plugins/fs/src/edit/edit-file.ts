/** Replaces exact text in a file. */
import { Param, Tool, type Preview, type ToolContext, ToolFailure, type ToolHandler, Workspace } from '@haft/core';
import { ArrayMaxSize, ArrayMinSize } from 'class-validator';
import { whyNoText } from '../text/well-formed.js';
import { ChangeHistory } from './change-history.js';
import type { EditRequest, EditResult } from './edit-text.js';

export class Edit {
  @Param('The text to replace, exactly as it is in the file, white space included. Must occur once, unless replace_all is true')
  old_text!: string;

  @Param('The text to put there')
  new_text!: string;

  @Param('Replace every occurrence')
  replace_all: boolean = false;
}

@Tool('Replace text in a file. old_text must match exactly and be unique; several edits of one file can be given at once in "edits", which apply all or not at all.', {
  name: 'edit_file', title: 'Edit file', tags: ['file'], scopes: ['read', 'write'], destructive: true, timeoutMs: 60_000,
  examples: [{ path: 'src/main.ts', old_text: 'const port = 80;', new_text: 'const port = 8080;' }],
})
export class EditFile implements ToolHandler<EditResult> {
  @Param('The file, relative to the workspace', { kind: 'path', access: 'write' })
  path!: string;

  @Param('The text to replace, exactly as it is in the file, white space included. Must occur once, unless replace_all is true', { optional: true })
  old_text?: string;

  @Param('The text to put there', { optional: true })
  new_text?: string;

  @Param('Replace every occurrence')
  replace_all: boolean = false;

  @Param('Several edits instead of one. Each is matched against the file as it is now; they must not overlap', { type: () => Edit, optional: true })
  @ArrayMinSize(1) @ArrayMaxSize(200)
  edits?: Edit[];

  @Param('Encoding of the file, when it cannot be told from its bytes', { optional: true, examples: ['gb18030', 'windows-1252'] })
  encoding?: string;

  constructor(private readonly workspace: Workspace, private readonly history: ChangeHistory) {}

  check(): string | undefined {
    const single = this.old_text !== undefined || this.new_text !== undefined;
    if (single && this.edits !== undefined) return 'Give either old_text and new_text, or edits, not both.';
    if (!single && this.edits === undefined) return 'Give old_text and new_text, or edits.';
    if (single && (this.old_text === undefined || this.new_text === undefined)) return `${this.old_text === undefined ? 'old_text' : 'new_text'} is missing: both are needed.`;
    const { edits } = this.request();
    const nameOf = (index: number, field: string) => (this.edits === undefined ? field : `${field} of edits[${index}]`);
    const [broken] = edits.flatMap((edit, index) => whyNoText(edit.old_text, nameOf(index, 'old_text')) ?? whyNoText(edit.new_text, nameOf(index, 'new_text')) ?? []);
    const empty = edits.findIndex((edit) => edit.old_text === '');
    if (broken !== undefined || empty === -1) return broken;
    return `${nameOf(empty, 'old_text')} is empty. To insert, give a neighbouring line as old_text and repeat it in new_text; to write a whole file, use write_file.`;
  }

  async preview(): Promise<Preview> {
    const title = `Edit ${this.path}`;
    try {
      const { previewEdit } = await import('./edit-text.js');
      return { title, diff: await previewEdit(this.workspace, this.request()) };
    } catch (error) {
      if (error instanceof ToolFailure) return { title, text: `This edit will fail: ${error.message}` };
      throw error;
    }
  }

  async execute(context: ToolContext): Promise<EditResult> {
    // Loaded when first used, with the diff library behind it.
    const { editText } = await import('./edit-text.js');
    return editText(this.workspace, this.history, this.request(), context);
  }

  async undo(result: EditResult, context: ToolContext): Promise<void> {
    const { takeBack } = await import('./take-back.js');
    await takeBack(this.workspace, this.history, result, context.sessionId);
  }

  toModel({ path, replacements, diff, notes }: EditResult): string {
    return [`Edited ${path}: ${replacements} ${replacements === 1 ? 'replacement' : 'replacements'}.`, ...notes, diff].join('\n');
  }

  private request(): EditRequest {
    const single = { old_text: this.old_text ?? '', new_text: this.new_text ?? '', replace_all: this.replace_all };
    return { path: this.path, edits: this.edits ?? [single], encoding: this.encoding };
  }
}
