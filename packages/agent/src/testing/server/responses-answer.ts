/** A scripted turn as OpenAI Responses sends it. */
import { type ScriptedTurn, callText, finishOf, pieces, usageOf } from '../script.js';
import type { WireAnswer, WireEvent } from './wire.js';

type Item = { type: string; id: string } & Record<string, unknown>;

export function responsesAnswer(turn: ScriptedTurn, model: string, serial: number): WireAnswer {
  const items = itemsOf(turn, serial);
  const finish = finishOf(turn);
  const incomplete = finish === 'length' || finish === 'content_filter';
  const status = incomplete ? 'incomplete' : finish === 'error' ? 'failed' : 'completed';
  const body = {
    id: `resp_${serial}`, object: 'response', created_at: 1_700_000_000, model, status, output: items, usage: usageBody(turn),
    error: finish === 'error' ? { code: 'server_error', message: 'The model failed.' } : null,
    incomplete_details: incomplete ? { reason: finish === 'length' ? 'max_output_tokens' : 'content_filter' } : null,
  };
  let sequence_number = 0;
  const event = (data: { type: string } & Record<string, unknown>): WireEvent => ({ name: data.type, data: { ...data, sequence_number: sequence_number++ } });
  return {
    body,
    events: [
      event({ type: 'response.created', response: { ...body, status: 'in_progress', output: [], usage: null } }),
      ...items.flatMap((item, output_index) => itemEvents(item, turn.delivery?.deltaChars).map((data) => event({ ...data, output_index }))),
      event({ type: `response.${status}`, response: body }),
    ],
  };
}

function itemsOf(turn: ScriptedTurn, serial: number): Item[] {
  const items: Item[] = [];
  if (turn.reasoning !== undefined) {
    items.push({ type: 'reasoning', id: `rs_${serial}`, summary: [{ type: 'summary_text', text: turn.reasoning }], encrypted_content: `enc-${serial}` });
  }
  if (turn.text) {
    const content = turn.finish === 'refusal' ? [{ type: 'refusal', refusal: turn.text }] : [{ type: 'output_text', text: turn.text, annotations: [] }];
    items.push({ type: 'message', id: `msg_${serial}`, role: 'assistant', status: 'completed', content });
  }
  for (const [index, call] of (turn.calls ?? []).entries()) {
    items.push({ type: 'function_call', id: `fc_${serial}_${index}`, call_id: call.id ?? `call_${serial}_${index}`, name: call.name, arguments: callText(call), status: 'completed' });
  }
  return items;
}

function itemEvents(item: Item, size: number | undefined): ({ type: string } & Record<string, unknown>)[] {
  const item_id = item.id;
  const done = { type: 'response.output_item.done', item };
  if (item.type === 'function_call') {
    const text = String(item.arguments);
    return [
      { type: 'response.output_item.added', item: { ...item, arguments: '', status: 'in_progress' } },
      ...pieces(text, size).map((delta) => ({ type: 'response.function_call_arguments.delta', item_id, delta })),
      { type: 'response.function_call_arguments.done', item_id, arguments: text },
      done,
    ];
  }
  if (item.type === 'reasoning') {
    const [summary] = item.summary as { text: string }[];
    return [
      { type: 'response.output_item.added', item: { ...item, summary: [] } },
      ...pieces(summary?.text ?? '', size).map((delta) => ({ type: 'response.reasoning_summary_text.delta', item_id, summary_index: 0, delta })),
      done,
    ];
  }
  const [part] = item.content as { type: string; text?: string; refusal?: string }[];
  const kind = part?.type === 'refusal' ? 'refusal' : 'output_text';
  return [
    { type: 'response.output_item.added', item: { ...item, content: [], status: 'in_progress' } },
    { type: 'response.content_part.added', item_id, content_index: 0, part: { ...part, text: '' } },
    ...pieces(part?.text ?? part?.refusal ?? '', size).map((delta) => ({ type: `response.${kind}.delta`, item_id, content_index: 0, delta })),
    { type: 'response.content_part.done', item_id, content_index: 0, part },
    done,
  ];
}

function usageBody(turn: ScriptedTurn): object {
  const usage = usageOf(turn);
  return {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cacheRead ?? 0 },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
    total_tokens: usage.input + usage.output,
  };
}
