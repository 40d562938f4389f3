// The exit status of a run.
import type { RunResult } from '@haft/agent';
import { type ExitCode, exitCode } from '../exit-code.js';
import { statusOfModelError } from '../output/report-error.js';

/** Failures of the run itself, not of the provider. */
const ownFailures = new Set(['empty_answer', 'refusal', 'output_limit', 'invalid_output', 'internal']);

export function exitStatusOf({ status, error, toolCalls }: RunResult): ExitCode {
  switch (status) {
    case 'completed':
      return toolCalls.some(({ result }) => result.code === 'approval_unavailable') ? exitCode.unanswered : exitCode.done;
    case 'failed':
      return error === undefined || ownFailures.has(error.code) ? exitCode.failed : statusOfModelError(error.code);
    case 'cancelled':
      return exitCode.interrupted;
    case 'max_turns':
    case 'budget_exceeded':
      return exitCode.limit;
  }
}
