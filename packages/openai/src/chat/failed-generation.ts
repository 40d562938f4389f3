/** Groq checks a call itself and answers 400 with what the model wrote: that is a call to be refused by us, not a failed run. */
import type { ChatPiece } from './chunk.js';

/** The failed call as an answer, or undefined when the error is another one. */
export function failedGeneration(error: unknown): ChatPiece | undefined {
  const body = (error as { error?: { code?: unknown; failed_generation?: unknown } } | undefined)?.error;
  if (body?.code !== 'tool_use_failed' || typeof body.failed_generation !== 'string') return undefined;
  const call = parsed(body.failed_generation);
  return { choices: [{ message: { tool_calls: [{ index: 0, function: call }] }, finish_reason: 'tool_calls' }] };
}

function parsed(text: string): { name: string; arguments: unknown } {
  try {
    const value = JSON.parse(text) as { name?: unknown; arguments?: unknown } | { name?: unknown; arguments?: unknown }[] | null;
    const call = Array.isArray(value) ? value[0] : value;
    if (typeof call?.name === 'string') return { name: call.name, arguments: call.arguments };
  } catch {
    // Not JSON: the whole text becomes the arguments of a call that no tool takes, and its refusal tells the model.
  }
  return { name: 'invalid_call', arguments: text };
}
