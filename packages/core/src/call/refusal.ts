/** Failures that are answers to the model, not faults of a program: made without a stack, which would cost more than the call. */
import { type KnownErrorCode, ToolFailure, type ToolFailureOptions } from '../errors.js';

export function refusal(code: KnownErrorCode, message: string, options?: ToolFailureOptions): ToolFailure {
  const limit = Error.stackTraceLimit;
  Reflect.set(Error, 'stackTraceLimit', 0);
  try {
    return new ToolFailure(code, message, options);
  } finally {
    Reflect.set(Error, 'stackTraceLimit', limit);
  }
}
