/** When a run is over, and with what status. */
import type { RunStatus } from '../events.js';
import { isModelError } from '../model-adapter.js';
import type { RunError } from '../run-result.js';
import type { CallGuard } from './call-guard.js';
import type { Answer } from './model-step.js';
import { type RunState, textOf } from './run-state.js';

export interface Ending {
  status: RunStatus;
  error?: RunError;
  output?: unknown;
}

/** The reason a run's signal is aborted with when its time is over. */
export class TimeBudgetExceeded extends Error {
  override readonly name = 'TimeBudgetExceeded';

  constructor(readonly maxMs: number) {
    super(`The run's limit of ${maxMs} ms is reached`);
  }
}

export const defaultMaxTurns = 50;

/** The limit that forbids one more turn, and whether a closing answer may still be asked for. */
export function limitBefore(turn: number, run: RunState, guard: CallGuard): { ending: Ending; closing: boolean } | undefined {
  const { maxTurns = defaultMaxTurns, maxTokens, maxCost, finalAnswer = true } = run.job.limits;
  if (maxTokens !== undefined && run.usage.input + run.usage.output >= maxTokens) return spent(`The run's limit of ${maxTokens} tokens is reached`);
  if (maxCost !== undefined && (run.cost ?? 0) >= maxCost) return spent(`The run's limit of $${maxCost} is reached`);
  if (turn > maxTurns) {
    const message = `The run's limit of ${maxTurns} ${maxTurns === 1 ? 'turn' : 'turns'} is reached`;
    return { ending: { status: 'max_turns', error: { code: 'max_turns', message } }, closing: finalAnswer };
  }
  if (guard.reached === undefined) return undefined;
  const message = guard.reached.charAt(0).toUpperCase() + guard.reached.slice(1);
  return { ending: { status: 'budget_exceeded', error: { code: 'budget_exceeded', message } }, closing: finalAnswer };
}

function spent(message: string): { ending: Ending; closing: boolean } {
  return { ending: { status: 'budget_exceeded', error: { code: 'budget_exceeded', message } }, closing: false };
}

/** How an answer ends the run; undefined when the model is to be asked again. */
export function endingOf(answer: Answer): Ending | undefined {
  if (answer.finish === 'refusal') return failed('refusal', 'The model refused to answer.');
  if (answer.finish === 'content_filter') return failed('content_filter', 'The provider\'s content filter stopped the answer.');
  if (answer.finish === 'pause' || answer.message.parts.some((part) => part.type === 'tool_call')) return undefined;
  if (answer.finish === 'length') {
    return { status: 'budget_exceeded', error: { code: 'output_limit', message: 'The answer was cut at the limit of output tokens.' } };
  }
  if (textOf(answer.message).trim() === '') return failed('empty_answer', 'The model returned nothing.');
  if (answer.finish === 'error') return failed('server_error', 'The provider ended the answer with an error.');
  return { status: 'completed' };
}

export function failedEnding(error: unknown, signal: AbortSignal): Ending {
  if (signal.aborted) return stoppedEnding(signal);
  if (isModelError(error)) return failed(error.code, error.message);
  return failed('internal', error instanceof Error ? error.message : String(error));
}

export function stoppedEnding(signal: AbortSignal): Ending {
  if (signal.reason instanceof TimeBudgetExceeded) {
    return { status: 'budget_exceeded', error: { code: 'budget_exceeded', message: signal.reason.message } };
  }
  return { status: 'cancelled' };
}

function failed(code: string, message: string): Ending {
  return { status: 'failed', error: { code, message } };
}
