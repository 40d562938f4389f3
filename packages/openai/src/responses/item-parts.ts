/** One output item of Responses as a neutral part, with what must go back kept as opaque data. */
import type { AssistantPart } from '@haft/agent';
import { type WireNames, hashText } from '@haft/agent/adapter';
import type { Json } from '@haft/core';
import type { OutputItem } from './event.js';

/** Opaque data of Responses is not that of Chat Completions of the same provider. */
export const opaqueName = (provider: string): string => `${provider}/responses`;

export function partOf(item: OutputItem, opaque: string, names: WireNames): AssistantPart[] {
  switch (item.type) {
    case 'message':
      return messagePart(item, opaque);
    case 'reasoning':
      return [{ type: 'reasoning', text: reasoningText(item), opaque: { provider: opaque, data: item as Json } }];
    case 'function_call':
    case 'custom_tool_call':
      return [callPart(item, opaque, names)];
    default:
      // Items of tools that the service runs itself: nothing to show, but they go back in their place.
      return [{ type: 'text', text: '', opaque: { provider: opaque, data: item as Json } }];
  }
}

export function textOfItem(item: OutputItem): string {
  if (item.type !== 'message') return '';
  return (item.content ?? []).map((part) => (part.type === 'refusal' ? part.refusal : part.text) ?? '').join('');
}

function messagePart(item: OutputItem, provider: string): AssistantPart[] {
  const text = textOfItem(item);
  if (text === '') return [];
  const data = { type: 'message', ...(item.id ? { id: item.id } : {}), ...(item.phase ? { phase: item.phase } : {}) };
  return [{ type: 'text', text, opaque: { provider, data } }];
}

function reasoningText(item: OutputItem): string {
  const summary = (item.summary ?? []).map((part) => part.text ?? '').join('\n');
  return summary === '' ? (item.content ?? []).map((part) => part.text ?? '').join('\n') : summary;
}

function callPart(item: OutputItem, provider: string, names: WireNames): AssistantPart {
  const custom = item.type === 'custom_tool_call';
  const raw = custom ? item.input : item.arguments;
  const text = typeof raw === 'string' ? raw : raw === undefined || raw === null ? '' : JSON.stringify(raw);
  const providerId = item.call_id ?? item.id ?? '';
  return {
    type: 'tool_call',
    id: providerId === '' ? `call_${hashText(`${item.name}:${text}`)}` : providerId,
    ...(providerId === '' ? {} : { providerId }),
    name: names.fromWire(item.name ?? ''),
    arguments: text.trim() === '' && !custom ? '{}' : text,
    opaque: { provider, data: { type: item.type ?? 'function_call', ...(item.id ? { id: item.id } : {}) } },
  };
}
