/** Chunks of Chat Completions (or one whole completion) into a neutral turn. Tolerant: what servers leave out or repeat changes nothing. */
import { type AssistantPart, type FinishReason, ModelError, type ModelEvent, type ModelTurn, type Usage } from '@haft/agent';
import { AnsweredError, type TurnAccumulator, type WireNames, endedEarly, hashText, noAnswer } from '@haft/agent/adapter';
import type { Json } from '@haft/core';
import type { Profile } from '../profiles.js';
import { CallAssembler } from './call-assembler.js';
import type { ChatChoice, ChatDelta, ChatPiece, ChatUsage } from './chunk.js';
import { reasoningOf, textOf } from './delta-text.js';
import { mergeDetails } from './reasoning-details.js';

const reasons: Record<string, FinishReason> = {
  stop: 'stop', end_turn: 'stop', eos: 'stop', stop_sequence: 'stop', tool_calls: 'tool_calls', tool_use: 'tool_calls', function_call: 'tool_calls',
  length: 'length', max_tokens: 'length', model_length: 'length', content_filter: 'content_filter', safety: 'content_filter', error: 'error',
};

const nothing: readonly ModelEvent[] = [];

export class ChatAccumulator implements TurnAccumulator<ChatPiece> {
  private text = '';
  private reasoning = '';
  private refusal = '';
  private readonly details: Record<string, Json>[] = [];
  private extra: unknown;
  private readonly calls = new CallAssembler();
  private finishReason = '';
  private usage: ChatUsage = {};
  private pieces = 0;
  private choices = 0;

  constructor(
    private readonly profile: Profile,
    private readonly model: string,
    private readonly names: WireNames,
  ) {}

  feed(piece: ChatPiece): readonly ModelEvent[] {
    this.pieces += 1;
    if (piece.error) throw new AnsweredError(piece.error);
    if (piece.usage) this.usage = piece.usage;
    const choice = piece.choices?.[0];
    if (choice === undefined || choice === null) return nothing;
    this.choices += 1;
    if (choice.finish_reason) this.finishReason = choice.finish_reason;
    return this.feedDelta(choice);
  }

  private feedDelta(choice: ChatChoice): readonly ModelEvent[] {
    const events: ModelEvent[] = [];
    const delta: ChatDelta = choice.delta ?? choice.message ?? {};
    const reasoning = reasoningOf(delta);
    if (reasoning !== '') {
      this.reasoning += reasoning;
      events.push({ type: 'reasoning_delta', text: reasoning });
    }
    const text = textOf(delta.content);
    if (text !== '') {
      this.text += text;
      events.push({ type: 'text_delta', text });
    }
    if (delta.refusal) {
      this.refusal += delta.refusal;
      events.push({ type: 'text_delta', text: delta.refusal });
    }
    if (Array.isArray(delta.reasoning_details)) mergeDetails(this.details, delta.reasoning_details);
    this.extra = delta.extra_content ?? this.extra;
    // In a whole message each entry is a call of its own.
    const whole = choice.delta === undefined || choice.delta === null;
    for (const [index, call] of (delta.tool_calls ?? []).entries()) if (call) this.calls.feed(whole ? { ...call, index } : call);
    if (delta.function_call) this.calls.feed({ index: 0, function: delta.function_call });
    return events;
  }

  finish(): ModelTurn {
    const provider = this.profile.name;
    if (this.pieces > 0 && this.choices === 0) throw noAnswer(provider, 'chat completion');
    if (this.finishReason === '') throw endedEarly(provider, 'its finish_reason', this.pieces > 0);
    const parts = this.parts();
    const finish = this.finishOf(parts);
    if (finish === 'error') throw new ModelError('server_error', `${provider}: the server ended the answer with an error.`, { provider, retryable: true });
    return { message: { role: 'assistant', parts, model: `${provider}:${this.model}`, finish }, finish, usage: usageOf(this.usage) };
  }

  private parts(): AssistantPart[] {
    const provider = this.profile.name;
    const parts: AssistantPart[] = [];
    const data = this.opaqueFields();
    if (data !== undefined || this.reasoning !== '') parts.push({ type: 'reasoning', text: this.reasoning, ...(data === undefined ? {} : { opaque: { provider, data } }) });
    const text = this.text + this.refusal;
    if (text !== '') parts.push({ type: 'text', text });
    for (const [index, call] of this.calls.finish().entries()) {
      const id = call.id === '' ? `call_${hashText(`${index}:${call.name}:${call.arguments}`)}` : call.id;
      const extra = call.extra === undefined ? {} : { opaque: { provider, data: { extra_content: call.extra as Json } } };
      parts.push({ type: 'tool_call', id, ...(call.id === '' ? {} : { providerId: call.id }), name: this.names.fromWire(call.name), arguments: call.arguments, ...extra });
    }
    return parts;
  }

  private opaqueFields(): { [field: string]: Json } | undefined {
    if (this.details.length === 0 && this.extra === undefined) return undefined;
    return { ...(this.details.length > 0 ? { reasoning_details: this.details } : {}), ...(this.extra === undefined ? {} : { extra_content: this.extra as Json }) };
  }

  /** `finish_reason` is often wrong: calls in a whole answer are calls, and "tool_calls" without one is a stop. */
  private finishOf(parts: AssistantPart[]): FinishReason {
    const finish = reasons[this.finishReason.toLowerCase()] ?? 'stop';
    if (finish !== 'stop' && finish !== 'tool_calls') return finish;
    if (parts.some((part) => part.type === 'tool_call')) return 'tool_calls';
    return this.refusal === '' ? 'stop' : 'refusal';
  }
}

function usageOf(usage: ChatUsage): Usage {
  const cacheRead = usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens;
  const reasoning = usage.completion_tokens_details?.reasoning_tokens;
  return {
    input: usage.prompt_tokens ?? 0,
    output: usage.completion_tokens ?? 0,
    ...(cacheRead ? { cacheRead } : {}),
    ...(reasoning ? { reasoning } : {}),
  };
}
