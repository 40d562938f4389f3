/** A model in the process that answers from a script: for tests of loops and tools without any HTTP. */
import type { AssistantPart } from '../messages.js';
import { type ModelAdapter, ModelError, type ModelErrorCode, type ModelEvent, type ModelRequest } from '../model-adapter.js';
import { type Script, type ScriptedTurn, callText, finishOf, pieces, usageOf } from './script.js';

export interface ScriptedModel extends ModelAdapter {
  /** What was asked, in order. The messages are copied: later changes of the history do not show. */
  readonly requests: ModelRequest[];
}

/** Answers request n with turn n. A request after the last turn is a ModelError `invalid_request` that says so. */
export function scriptedModel(script: Script, options: { model?: string; contextWindow?: number } = {}): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    provider: 'scripted',
    model: options.model ?? 'scripted-model',
    ...(options.contextWindow === undefined ? {} : { contextWindow: options.contextWindow }),
    requests,
    async *stream(request, signal) {
      const index = requests.length;
      requests.push({ ...request, messages: [...request.messages] });
      const turn = typeof script === 'function' ? await script({ body: request }, index) : script[index];
      if (turn === undefined) throw failure('invalid_request', `The script has ${index} turns, and one more was asked for.`);
      if (turn.fault) throw faultError(turn.fault);
      await pause(turn.delayMs ?? 0, signal);
      yield* events(turn, index);
    },
  };
}

function* events(turn: ScriptedTurn, index: number): Generator<ModelEvent> {
  const parts: AssistantPart[] = [];
  const size = turn.delivery?.deltaChars;
  if (turn.reasoning) {
    for (const text of pieces(turn.reasoning, size)) yield { type: 'reasoning_delta', text };
    parts.push({ type: 'reasoning', text: turn.reasoning });
  }
  if (turn.text) {
    for (const text of pieces(turn.text, size)) yield { type: 'text_delta', text };
    parts.push({ type: 'text', text: turn.text });
  }
  for (const [at, call] of (turn.calls ?? []).entries()) {
    const id = call.id || `call_${index}_${at}`;
    parts.push({ type: 'tool_call', id, providerId: id, name: call.name, arguments: callText(call) });
  }
  const finish = finishOf(turn);
  const message = { role: 'assistant' as const, parts, model: 'scripted:scripted-model', finish };
  yield { type: 'turn', turn: { message, finish, usage: usageOf(turn) } };
}

const codes: Record<number, ModelErrorCode> = { 401: 'invalid_credentials', 403: 'invalid_credentials', 404: 'model_not_found', 413: 'too_large', 429: 'rate_limited', 503: 'overloaded', 529: 'overloaded' };

function faultError(fault: NonNullable<ScriptedTurn['fault']>): ModelError {
  if (fault.kind !== 'status') return failure('network', `scripted fault: ${fault.kind}`, true);
  const seconds = fault.headers?.['retry-after'];
  const code = codes[fault.status] ?? (fault.status >= 500 ? 'server_error' : 'invalid_request');
  return failure(code, fault.message ?? `scripted status ${fault.status}`, fault.status === 429 || fault.status >= 500, seconds === undefined ? undefined : Number(seconds) * 1000);
}

function failure(code: ModelErrorCode, message: string, retryable = false, retryAfterMs?: number): ModelError {
  return new ModelError(code, message, { provider: 'scripted', retryable, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
}

/** Waits, and rejects as cancelled when the signal aborts. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) throw failure('cancelled', 'cancelled');
  if (ms <= 0) return;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(failure('cancelled', 'cancelled'));
    }, { once: true });
  });
}
