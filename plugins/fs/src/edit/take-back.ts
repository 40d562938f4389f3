/** Takes a change back, unless the file was changed again since. */
import { ToolFailure, type Workspace, quotePath } from '@haft/core';
import type { ChangeHistory, Reversal } from './change-history.js';
import { applyReplacements } from './plan-edits.js';

export interface Undoable {
  /** The changed file's real path. */
  path: string;
  /** Under which the content before is kept. */
  undoId: string;
}

/** Throws `not_found` when the content before is no longer kept, `stale_file` when the file is not as the change left it. */
export async function takeBack(workspace: Workspace, history: ChangeHistory, { path, undoId }: Undoable, sessionId: string): Promise<void> {
  const change = history.get(undoId);
  if (change === undefined) throw new ToolFailure('not_found', `What ${quotePath(path)} held before is no longer kept; it cannot be restored.`);
  await workspace.lock(path, async () => {
    if (await workspace.changedSinceRead(sessionId, path)) throw new ToolFailure('stale_file', `${quotePath(path)} was changed again; it is not restored.`);
    const { undo } = change;
    if (undo.kind === 'created') await workspace.remove(path);
    else await workspace.write(path, undo.kind === 'whole' ? [undo.before] : putBack(await workspace.readFile(path), undo.reversals), { sessionId });
  });
}

function putBack(bytes: Buffer, reversals: readonly Reversal[]): Buffer[] {
  return applyReplacements(bytes, reversals.map(({ start, end, bytes: text }) => ({ start, end, text, edit: 0 })));
}
