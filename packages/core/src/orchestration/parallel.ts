/** Independent calls at once: one result in every slot, in the order of the calls. */
import type { ToolResult } from '../call/tool-call.js';
import { type Step, type StepRunner, runStep } from './step.js';

/** Never rejects: a call that fails has its failure in its own slot. How many run together is the dispatcher's limit. */
export function parallel(steps: readonly Step[], runner: StepRunner): Promise<ToolResult[]> {
  return Promise.all(steps.map((step, index) => runStep(step, index + 1, { steps: new Map() }, runner)));
}
