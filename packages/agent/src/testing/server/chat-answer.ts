/** A scripted turn as Chat Completions sends it. */
import type { FinishReason } from '../../messages.js';
import { type ScriptedTurn, callText, finishOf, pieces, usageOf } from '../script.js';
import type { WireAnswer, WireEvent } from './wire.js';

const reasons: Record<FinishReason, string> = {
  stop: 'stop', tool_calls: 'tool_calls', length: 'length', refusal: 'stop', content_filter: 'content_filter', pause: 'stop', error: 'error',
};

export function chatAnswer(turn: ScriptedTurn, model: string, serial: number): WireAnswer {
  const base = { id: `chatcmpl-${serial}`, created: 1_700_000_000, model };
  const calls = (turn.calls ?? []).map((call, index) => ({ id: call.id ?? `call_${serial}_${index}`, type: 'function', function: { name: call.name, arguments: callText(call) } }));
  const refused = turn.finish === 'refusal';
  const message = {
    role: 'assistant',
    content: refused ? null : (turn.text ?? null),
    refusal: refused ? (turn.text ?? 'No.') : null,
    ...(turn.reasoning === undefined ? {} : { reasoning_content: turn.reasoning }),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  const finish_reason = reasons[finishOf(turn)];
  const usage = usageBody(turn);
  const chunk = (choices: object[], rest: object = {}): WireEvent => ({ data: { ...base, object: 'chat.completion.chunk', choices, ...rest } });
  const delta = (fields: object, finish: string | null = null): WireEvent => chunk([{ index: 0, delta: fields, finish_reason: finish }]);
  return {
    body: { ...base, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage },
    events: [
      delta({ role: 'assistant', content: '' }),
      ...deltas(turn, message, calls).map((fields) => delta(fields)),
      delta({}, finish_reason),
      chunk([], { usage }),
      { data: '[DONE]' },
    ],
  };
}

function deltas(turn: ScriptedTurn, message: { content: string | null; refusal: string | null }, calls: { id: string; function: { name: string; arguments: string } }[]): object[] {
  const size = turn.delivery?.deltaChars;
  return [
    ...pieces(turn.reasoning ?? '', size).map((reasoning_content) => ({ reasoning_content })),
    ...pieces(message.content ?? '', size).map((content) => ({ content })),
    ...pieces(message.refusal ?? '', size).map((refusal) => ({ refusal })),
    ...calls.flatMap((call, index) => [
      { tool_calls: [{ index, id: call.id, type: 'function', function: { name: call.function.name, arguments: '' } }] },
      ...pieces(call.function.arguments, size).map((text) => ({ tool_calls: [{ index, function: { arguments: text } }] })),
    ]),
  ];
}

function usageBody(turn: ScriptedTurn): object {
  const usage = usageOf(turn);
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead ?? 0 },
    completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
  };
}
