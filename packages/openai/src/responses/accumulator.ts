/** Events of Responses (or one whole response) into a neutral turn. */
import type { FinishReason, ModelEvent, ModelTurn, Usage } from '@haft/agent';
import { AnsweredError, type TurnAccumulator, type WireNames, endedEarly, noAnswer } from '@haft/agent/adapter';
import type { OutputItem, ResponseBody, ResponseError, ResponsesEvent, ResponsesUsage } from './event.js';
import { opaqueName, partOf, textOfItem } from './item-parts.js';

const terminal = /^response\.(completed|incomplete|failed)$/;
const textDeltas = new Set(['response.output_text.delta', 'response.refusal.delta']);
const reasoningDeltas = new Set(['response.reasoning_summary_text.delta', 'response.reasoning_text.delta']);

const nothing: readonly ModelEvent[] = [];

export class ResponsesAccumulator implements TurnAccumulator<ResponsesEvent> {
  private readonly done: OutputItem[] = [];
  private response: ResponseBody | undefined;
  private shown = false;
  private events = 0;

  constructor(
    private readonly provider: string,
    private readonly model: string,
    private readonly names: WireNames,
  ) {}

  feed(event: ResponsesEvent): readonly ModelEvent[] {
    this.events += 1;
    const type = event.type ?? '';
    if (textDeltas.has(type) && typeof event.delta === 'string') {
      this.shown = true;
      return [{ type: 'text_delta', text: event.delta }];
    }
    if (reasoningDeltas.has(type) && typeof event.delta === 'string') {
      return [{ type: 'reasoning_delta', text: event.delta }];
    }
    if (type === 'response.output_item.done' && event.item) this.done[event.output_index ?? this.done.length] = event.item;
    if (type === 'error') throw this.failure({ ...event, type: null });
    return terminal.test(type) && event.response ? this.end(event.response) : nothing;
  }

  /** The response itself; what a stream did not show yet is shown now. */
  private end(response: ResponseBody): readonly ModelEvent[] {
    this.response = response;
    if (this.shown) return nothing;
    return this.items().flatMap((item): ModelEvent[] => {
      const text = textOfItem(item);
      return text === '' ? [] : [{ type: 'text_delta', text }];
    });
  }

  finish(): ModelTurn {
    const { provider, response } = this;
    if (response === undefined) throw endedEarly(provider, 'response.completed', this.events > 0);
    if (response.error && response.status !== 'completed') throw this.failure(response.error);
    if (response.status === 'failed' || response.status === 'cancelled') throw this.failure({});
    if (!Array.isArray(response.output) && this.done.length === 0) throw noAnswer(provider, 'response');
    const parts = this.items().flatMap((item) => partOf(item, opaqueName(provider), this.names));
    const finish = finishOf(response, this.items());
    return { message: { role: 'assistant', parts, model: `${provider}:${this.model}`, finish }, finish, usage: usageOf(response.usage ?? {}) };
  }

  /** The final list of items where the server sends one, else those of the stream; holes in the indexes are skipped. */
  private items(): readonly OutputItem[] {
    const output = this.response?.output ?? [];
    return output.length > 0 ? output : this.done.filter((item) => item !== undefined);
  }

  private failure({ code, type, message }: ResponseError): AnsweredError {
    return new AnsweredError({ code, type: code ?? type ?? 'server_error', message: message ?? 'The model failed.' });
  }
}

function finishOf(response: ResponseBody, items: readonly OutputItem[]): FinishReason {
  if (response.status === 'incomplete') return response.incomplete_details?.reason === 'content_filter' ? 'content_filter' : 'length';
  if (items.some((item) => item.type === 'function_call' || item.type === 'custom_tool_call')) return 'tool_calls';
  return items.some((item) => item.content?.some((part) => part.type === 'refusal')) ? 'refusal' : 'stop';
}

function usageOf(usage: ResponsesUsage): Usage {
  const cacheRead = usage.input_tokens_details?.cached_tokens;
  const reasoning = usage.output_tokens_details?.reasoning_tokens;
  return { input: usage.input_tokens ?? 0, output: usage.output_tokens ?? 0, ...(cacheRead ? { cacheRead } : {}), ...(reasoning ? { reasoning } : {}) };
}
