/** Refuses calls that go beyond the run's number of calls, and calls that go round in circles. */
import type { PlannedCall, ToolCall, ToolResult } from '@haft/core';
import { isReadOnly } from './conflicts.js';
import { budgetResult, repeatedResult } from './results.js';
import type { RunLimits } from './run-job.js';

/** After this many refusals for repetition in a row the run is stopped: the model does not read them. */
const REFUSALS_BEFORE_STOP = 3;

interface Repetition {
  content: string;
  times: number;
}

export class CallGuard {
  /** The limit that was reached, in words; undefined while the run may go on. */
  reached: string | undefined;
  private calls = 0;
  private refusals = 0;
  private readonly repetitions = new Map<string, Repetition>();
  private readonly maxIdentical: number;

  constructor(private readonly limits: RunLimits) {
    this.maxIdentical = limits.maxIdenticalCalls ?? 3;
  }

  /** Counts one more call; a result when it is one too many. */
  count(call: ToolCall): ToolResult | undefined {
    this.calls += 1;
    if (this.limits.maxCalls === undefined || this.calls <= this.limits.maxCalls) return undefined;
    this.reached = `the run's limit of ${this.limits.maxCalls} tool ${this.limits.maxCalls === 1 ? 'call' : 'calls'} is reached`;
    return budgetResult(call, this.reached);
  }

  /** A result when this very call has given the same result too often and nothing else was changed in between. */
  refuseRepeated(call: ToolCall, planned: PlannedCall): ToolResult | undefined {
    const times = this.repetitions.get(planned.hash)?.times ?? 0;
    if (times < this.maxIdentical) return undefined;
    this.refusals += 1;
    if (this.refusals >= REFUSALS_BEFORE_STOP) this.reached = 'the model kept repeating the same call';
    return repeatedResult(call, times);
  }

  finished(planned: PlannedCall, result: ToolResult): void {
    this.refusals = 0;
    const content = typeof result.content === 'string' ? result.content : JSON.stringify(result.content);
    const before = this.repetitions.get(planned.hash);
    const times = before?.content === content ? before.times + 1 : 1;
    // An effect can change what the same question answers.
    if (times === 1 && result.success && !isReadOnly(planned)) this.repetitions.clear();
    this.repetitions.set(planned.hash, { content, times });
  }
}
