/** Plans and carries out edits of one file through the workspace. */
import { type ToolContext, ToolFailure, type Workspace, quotePath } from '@haft/core';
import type { ChangeHistory, Reversal } from './change-history.js';
import { type Replacement, type TextEdit, applyReplacements, planEdits } from './plan-edits.js';
import { linkNotes } from './link-notes.js';
import type { Undoable } from './take-back.js';
import { type TextDocument, openDocument } from './text-document.js';
import { diffOfReplacements } from './unified-diff.js';

export interface EditRequest {
  path: string;
  edits: readonly TextEdit[];
  encoding?: string | undefined;
}

export interface EditResult extends Undoable {
  replacements: number;
  encoding: string;
  /** Unified diff. */
  diff: string;
  notes: string[];
}

interface PlannedEdit {
  bytes: Buffer;
  version: string;
  document: TextDocument;
  replacements: Replacement[];
}

async function plan(workspace: Workspace, request: EditRequest): Promise<PlannedEdit> {
  const { bytes, version } = await workspace.readVersion(request.path);
  const document = await openDocument(bytes, request.path, request.encoding);
  if (bytes.length === 0) throw new ToolFailure('no_match', `${quotePath(request.path)} is empty; use write_file.`);
  return { bytes, version, document, replacements: planEdits(document.text, request.edits, request.path) };
}

/** The diff that the edits would make. Throws what `editText` throws. */
export async function previewEdit(workspace: Workspace, request: EditRequest): Promise<string> {
  const { document, replacements } = await plan(workspace, request);
  return diffOfReplacements(request.path, document.text, replacements);
}

/** All edits or none. Throws coded failures of the workspace and of `planEdits`. */
export async function editText(workspace: Workspace, history: ChangeHistory, request: EditRequest, context: ToolContext): Promise<EditResult> {
  return workspace.lock(request.path, async () => {
    const changed = await workspace.changedSinceRead(context.sessionId, request.path);
    const { bytes, version, document, replacements } = await plan(workspace, request);
    const parts = await document.toBytes(applyReplacements(document.text, replacements));
    const writing = workspace.write(request.path, parts, { sessionId: context.sessionId, signal: context.signal, version });
    // Made while the disk is at work.
    const [outcome, diff] = await Promise.all([writing, Promise.resolve().then(() => diffOfReplacements(request.path, document.text, replacements))]);
    const notes = [
      ...(changed ? ['The file had changed since it was read; the other changes are kept.'] : []),
      ...linkNotes(outcome.brokenLinks),
    ];
    return {
      path: outcome.relative, replacements: replacements.length, encoding: document.encoding,
      diff, notes,
      undoId: history.keep({ path: outcome.relative, undo: document.text === bytes ? { kind: 'pieces', reversals: reversalsOf(bytes, replacements) } : { kind: 'whole', before: bytes } }),
    };
  });
}

/** Copies, since the whole content is not to be kept alive by them. */
function reversalsOf(bytes: Buffer, replacements: readonly Replacement[]): Reversal[] {
  let shift = 0;
  return replacements.map(({ start, end, text }) => {
    const reversal = { start: start + shift, end: start + shift + text.length, bytes: Buffer.from(bytes.subarray(start, end)) };
    shift += text.length - (end - start);
    return reversal;
  });
}
