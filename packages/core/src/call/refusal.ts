/** Failures that are answers to the model, not faults of a program: made without a stack, which would cost more than the call. */
import { type KnownErrorCode, ToolFailure, type ToolFailureOptions } from '../errors.js';
import type { Issue } from '../tool/tool.js';

/** Issues that a message tells one by one. */
const toldIssues = 20;

/** The commonest refusal, as a value: to make an error of it would cost more than to check the arguments. */
export class WrongArguments {
  readonly code = 'invalid_arguments';
  readonly retryable = false;
  readonly message: string;

  constructor(readonly details: Issue[]) {
    this.message = sentences(details);
  }
}

/** What is wrong, in one line. */
export function sentences(issues: readonly Issue[]): string {
  let text = '';
  for (let index = 0; index < issues.length && index < toldIssues; index += 1) text += index === 0 ? issues[index]?.message : `; ${issues[index]?.message}`;
  return issues.length > toldIssues ? `${text}; and ${issues.length - toldIssues} more` : text;
}

export function refusal(code: KnownErrorCode, message: string, options?: ToolFailureOptions): ToolFailure {
  const limit = Error.stackTraceLimit;
  Reflect.set(Error, 'stackTraceLimit', 0);
  try {
    return new ToolFailure(code, message, options);
  } finally {
    Reflect.set(Error, 'stackTraceLimit', limit);
  }
}
