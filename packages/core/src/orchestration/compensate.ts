/** Taking back what finished steps did, after a later one failed. */
import type { ToolResult } from '../call/tool-call.js';
import type { StepRunner } from './step.js';

export interface Compensation {
  step: string;
  /** `nothing`: the tool has no undo(). */
  outcome: 'undone' | 'nothing' | 'failed';
  error?: string;
}

/** Calls undo() for each finished step, last first, each once. One that fails is reported and does not stop the others. */
export async function compensate(finished: readonly { name: string; result: ToolResult }[], runner: StepRunner): Promise<Compensation[]> {
  const done: Compensation[] = [];
  for (const { name, result } of finished.toReversed()) {
    try {
      done.push({ step: name, outcome: (await runner.undo?.(result)) === true ? 'undone' : 'nothing' });
    } catch (error) {
      done.push({ step: name, outcome: 'failed', error: error instanceof Error ? error.message : String(error) });
    }
  }
  return done;
}
