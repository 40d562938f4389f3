/** A scripted turn as Anthropic Messages sends it. */
import type { FinishReason } from '../../messages.js';
import { type ScriptedTurn, callText, finishOf, pieces, usageOf } from '../script.js';
import type { WireAnswer, WireEvent } from './wire.js';

const reasons: Record<FinishReason, string> = {
  stop: 'end_turn', tool_calls: 'tool_use', length: 'max_tokens', refusal: 'refusal', content_filter: 'refusal', pause: 'pause_turn', error: 'end_turn',
};

interface Block {
  start: Record<string, unknown>;
  deltas: object[];
  whole: object;
}

export function messagesAnswer(turn: ScriptedTurn, model: string, serial: number): WireAnswer {
  const usage = usageOf(turn);
  const cached = { cache_read_input_tokens: usage.cacheRead ?? 0, cache_creation_input_tokens: usage.cacheWrite ?? 0 };
  const input = usage.input - cached.cache_read_input_tokens - cached.cache_creation_input_tokens;
  const blocks = blocksOf(turn, serial);
  const base = { id: `msg_${serial}`, type: 'message', role: 'assistant', model };
  const end = { stop_reason: reasons[finishOf(turn)], stop_sequence: null };
  const event = (data: { type: string } & Record<string, unknown>): WireEvent => ({ name: data.type, data });
  return {
    body: { ...base, content: blocks.map((block) => block.whole), ...end, usage: { input_tokens: input, output_tokens: usage.output, ...cached } },
    events: [
      event({ type: 'message_start', message: { ...base, content: [], stop_reason: null, stop_sequence: null, usage: { input_tokens: input, output_tokens: 1, ...cached } } }),
      ...blocks.flatMap((block, index) => [
        event({ type: 'content_block_start', index, content_block: block.start }),
        ...block.deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
        event({ type: 'content_block_stop', index }),
      ]),
      event({ type: 'message_delta', delta: end, usage: { output_tokens: usage.output } }),
      event({ type: 'message_stop' }),
    ],
  };
}

function blocksOf(turn: ScriptedTurn, serial: number): Block[] {
  const size = turn.delivery?.deltaChars;
  const blocks: Block[] = [];
  if (turn.reasoning !== undefined) {
    const signature = `sig-${serial}`;
    const deltas = [...pieces(turn.reasoning, size).map((thinking) => ({ type: 'thinking_delta', thinking })), { type: 'signature_delta', signature }];
    blocks.push({ start: { type: 'thinking', thinking: '', signature: '' }, deltas, whole: { type: 'thinking', thinking: turn.reasoning, signature } });
  }
  if (turn.text) {
    const deltas = pieces(turn.text, size).map((text) => ({ type: 'text_delta', text }));
    blocks.push({ start: { type: 'text', text: '' }, deltas, whole: { type: 'text', text: turn.text } });
  }
  for (const [index, call] of (turn.calls ?? []).entries()) {
    const head = { type: 'tool_use', id: call.id ?? `toolu_${serial}_${index}`, name: call.name };
    const text = callText(call);
    const deltas = text === '{}' ? [] : pieces(text, size).map((partial_json) => ({ type: 'input_json_delta', partial_json }));
    blocks.push({ start: { ...head, input: {} }, deltas, whole: { ...head, input: parsed(text) } });
  }
  return blocks;
}

/** The real service always has an object here when it does not stream. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
