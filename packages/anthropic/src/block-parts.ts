/** One content block of Messages as a neutral part, with what must go back untouched kept as opaque data. */
import type { AssistantPart } from '@haft/agent';
import { type WireNames, hashText } from '@haft/agent/adapter';
import type { Json } from '@haft/core';
import type { Block } from './event.js';

/** A block while it is streamed; `json` is the text of a tool's input so far. */
export interface GrowingBlock {
  block: Block;
  json: string;
}

export function partOf({ block, json }: GrowingBlock, provider: string, names: WireNames): AssistantPart[] {
  switch (block.type) {
    case 'text':
      return textPart(block, provider);
    case 'thinking':
      return [{ type: 'reasoning', text: block.thinking ?? '', opaque: { provider, data: { type: 'thinking', signature: block.signature ?? '' } } }];
    case 'redacted_thinking':
      return [{ type: 'reasoning', text: '', opaque: { provider, data: block as Json } }];
    case 'tool_use':
      return [callPart(block, json, provider, names)];
    case undefined:
      return [];
    default: {
      // Calls of tools that the service runs itself, and their results: nothing to show, but they go back in their place.
      const data = json === '' ? block : { ...block, input: parsed(json) };
      return [{ type: 'text', text: '', opaque: { provider, data: data as Json } }];
    }
  }
}

function textPart(block: Block, provider: string): AssistantPart[] {
  const text = block.text ?? '';
  if (text === '') return [];
  const citations = block.citations ?? [];
  return [{ type: 'text', text, ...(citations.length === 0 ? {} : { opaque: { provider, data: { type: 'text', citations: citations as Json } } }) }];
}

function callPart(block: Block, json: string, provider: string, names: WireNames): AssistantPart {
  const text = json.trim() === '' ? inputText(block.input) : json;
  const direct = typeof block.caller !== 'object' || block.caller === null || (block.caller as { type?: unknown }).type === 'direct';
  return {
    type: 'tool_call',
    id: block.id ? block.id : `call_${hashText(`${block.name}:${text}`)}`,
    ...(block.id ? { providerId: block.id } : {}),
    name: names.fromWire(block.name ?? ''),
    arguments: text,
    ...(direct ? {} : { opaque: { provider, data: { caller: block.caller as Json } } }),
  };
}

/** Whole input instead of pieces of JSON: what is not streamed, and gateways that send all at the block's start. */
function inputText(input: unknown): string {
  if (input === undefined || input === null || input === '') return '{}';
  return typeof input === 'string' ? input : JSON.stringify(input);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return {};
  }
}
