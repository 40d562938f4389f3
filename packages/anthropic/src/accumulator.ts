/** Events of Messages (or one whole message) into a neutral turn. */
import type { FinishReason, ModelEvent, ModelTurn, Usage } from '@haft/agent';
import { AnsweredError, type TurnAccumulator, type WireNames, endedEarly, noAnswer } from '@haft/agent/adapter';
import { type GrowingBlock, partOf } from './block-parts.js';
import type { Block, BlockDelta, MessagesEvent, MessagesUsage } from './event.js';

const reasons: Record<string, FinishReason> = {
  end_turn: 'stop', stop_sequence: 'stop', tool_use: 'tool_calls', max_tokens: 'length', model_context_window_exceeded: 'length', refusal: 'refusal', pause_turn: 'pause',
};

const nothing: readonly ModelEvent[] = [];

export class MessagesAccumulator implements TurnAccumulator<MessagesEvent> {
  private readonly blocks: (GrowingBlock | undefined)[] = [];
  private usage: MessagesUsage = {};
  private stopReason = '';
  private started = false;
  private stopped = false;
  private events = 0;

  constructor(
    private readonly provider: string,
    private readonly model: string,
    private readonly names: WireNames,
  ) {}

  feed(event: MessagesEvent): readonly ModelEvent[] {
    if (event.type === 'ping') return nothing;
    this.events += 1;
    switch (event.type) {
      case 'message_start':
        this.start(event);
        break;
      case 'content_block_start':
        return this.open(event.index ?? this.blocks.length, event.content_block ?? {});
      case 'content_block_delta':
        return this.grow(event.index ?? this.blocks.length - 1, event.delta ?? {});
      case 'message_delta':
        this.stopReason = event.delta?.stop_reason ?? this.stopReason;
        this.count(event.usage);
        break;
      case 'message_stop':
        this.stopped = true;
        break;
      case 'error':
        throw new AnsweredError(event.error ?? event);
      case 'message':
        return this.whole(event);
      default:
        // content_block_stop says nothing new; what is unknown is left out.
    }
    return nothing;
  }

  /** Gateways repeat the start; the first one counts. */
  private start(event: MessagesEvent): void {
    if (!this.started) this.count(event.message?.usage);
    this.started = true;
  }

  private open(index: number, block: Block): readonly ModelEvent[] {
    if (this.blocks[index] !== undefined) return nothing;
    this.blocks[index] = { block: { ...block }, json: '' };
    if (block.type === 'text' && block.text) return [{ type: 'text_delta', text: block.text }];
    if (block.type === 'thinking' && block.thinking) return [{ type: 'reasoning_delta', text: block.thinking }];
    return nothing;
  }

  private grow(index: number, delta: BlockDelta): readonly ModelEvent[] {
    const growing = (this.blocks[index] ??= { block: {}, json: '' });
    const { block } = growing;
    if (delta.text) {
      block.type ??= 'text';
      block.text = (block.text ?? '') + delta.text;
      return [{ type: 'text_delta', text: delta.text }];
    }
    if (delta.thinking) {
      block.type ??= 'thinking';
      block.thinking = (block.thinking ?? '') + delta.thinking;
      return [{ type: 'reasoning_delta', text: delta.thinking }];
    }
    if (delta.partial_json) growing.json += delta.partial_json;
    else if (delta.signature) block.signature = delta.signature;
    else if (delta.citation !== undefined) block.citations = [...(block.citations ?? []), delta.citation];
    return nothing;
  }

  private whole(event: MessagesEvent): readonly ModelEvent[] {
    if (!Array.isArray(event.content)) return nothing;
    const shown = (event.content as Block[]).flatMap((block, index) => this.open(index, block));
    this.count(event.usage);
    this.stopReason = event.stop_reason ?? '';
    this.started = true;
    this.stopped = true;
    return shown;
  }

  /** Later figures replace earlier ones: those of `message_delta` are cumulative. */
  private count(usage: MessagesUsage | null | undefined): void {
    for (const [key, value] of Object.entries(usage ?? {})) if (typeof value === 'number') this.usage = { ...this.usage, [key]: value };
  }

  finish(): ModelTurn {
    const { provider } = this;
    if (this.events > 0 && !this.started && this.blocks.length === 0) throw noAnswer(provider, 'message');
    if (!this.stopped) throw endedEarly(provider, 'message_stop', this.events > 0);
    const parts = this.blocks.flatMap((growing) => (growing === undefined ? [] : partOf(growing, provider, this.names)));
    const hasCalls = parts.some((part) => part.type === 'tool_call');
    const said = reasons[this.stopReason] ?? 'stop';
    const finish = said === 'stop' && hasCalls ? 'tool_calls' : said === 'tool_calls' && !hasCalls ? 'stop' : said;
    return { message: { role: 'assistant', parts, model: `${provider}:${this.model}`, finish }, finish, usage: usageOf(this.usage) };
  }
}

/** Anthropic counts cached tokens apart; here they are part of the input. */
function usageOf(usage: MessagesUsage): Usage {
  const cacheRead = usage.cache_read_input_tokens ?? 0;
  const cacheWrite = usage.cache_creation_input_tokens ?? 0;
  return {
    input: (usage.input_tokens ?? 0) + cacheRead + cacheWrite,
    output: usage.output_tokens ?? 0,
    ...(cacheRead > 0 ? { cacheRead } : {}),
    ...(cacheWrite > 0 ? { cacheWrite } : {}),
  };
}
