/** Neutral history into the input items of Responses. Nothing is kept at the service (`store: false`): reasoning goes back encrypted. */
import type { AssistantMessage, AssistantPart, ModelRequest, ToolCallPart, ToolMessage, UserMessage } from '@haft/agent';
import { type PairedItem, WireCache, WireIds, type WireNames, argumentsText, imagesOf, pairHistory, resultText, textOf, wireNames } from '@haft/agent/adapter';
import type { ContentPart, Json } from '@haft/core';
import type { ResponseInputContent, ResponseInputItem, ResponseOutputMessage } from 'openai/resources/responses/responses';
import type { Profile } from '../profiles.js';
import { opaqueName } from './item-parts.js';

const userForms = new WireCache<UserMessage, ResponseInputItem>();
const assistantForms = new WireCache<AssistantMessage, ResponseInputItem[]>();
const resultForms = new WireCache<ToolMessage, ResponseInputItem>();

export function inputItems(profile: Profile, model: string, request: ModelRequest): ResponseInputItem[] {
  const { items } = pairHistory(request.messages);
  const names = wireNames(request.tools);
  const ids = new WireIds(profile.ids);
  const writer = `${profile.name}:${model}`;
  const opaque = opaqueName(profile.name);
  return items.flatMap((item): ResponseInputItem[] => {
    if (item.kind === 'user') return [userForms.get(item.message, '', () => ({ role: 'user', content: contentOf(item.message.content) }))];
    return assistantItems(item, { names, ids, opaque, own: item.message.model === writer });
  });
}

interface AssistantContext {
  names: WireNames;
  ids: WireIds;
  opaque: string;
  /** Whether the same model wrote it: only then can it read its encrypted reasoning. */
  own: boolean;
}

function assistantItems(item: PairedItem & { kind: 'assistant' }, context: AssistantContext): ResponseInputItem[] {
  const ids = item.calls.map((call) => context.ids.assign(call));
  const idOf = (call: ToolCallPart): string => ids[item.calls.indexOf(call)] ?? '';
  const variant = `${context.opaque} ${context.own} ${ids.join(' ')}`;
  const said = assistantForms.get(item.message, variant, () => withoutLoneReasoning(item.message.parts.flatMap((part) => itemOf(part, idOf, context))));
  const results = item.results.map((result, index) => {
    const call = item.calls[index];
    const id = ids[index] ?? '';
    return resultForms.get(result, `${id} ${isCustom(call, context)}`, () => ({ type: isCustom(call, context) ? 'custom_tool_call_output' : 'function_call_output', call_id: id, output: outputOf(result.content) }));
  });
  return [...said, ...results];
}

function itemOf(part: AssistantPart, idOf: (call: ToolCallPart) => string, context: AssistantContext): ResponseInputItem[] {
  const data = part.opaque?.provider === context.opaque && context.own ? (part.opaque.data as Record<string, Json>) : undefined;
  if (part.type === 'reasoning') return data !== undefined && data.encrypted_content ? [data as unknown as ResponseInputItem] : [];
  if (part.type === 'text') return textItem(part.text, data);
  const call_id = idOf(part);
  const name = context.names.toWire(part.name);
  if (isCustom(part, context)) return [{ type: 'custom_tool_call', call_id, name, input: part.arguments }];
  const id = typeof data?.id === 'string' ? { id: data.id } : {};
  return [{ type: 'function_call', call_id, name, arguments: argumentsText(part.arguments), ...id }];
}

function textItem(text: string, data: Record<string, Json> | undefined): ResponseInputItem[] {
  if (data !== undefined && data.type !== 'message') return [data as unknown as ResponseInputItem];
  if (text === '') return [];
  if (typeof data?.id !== 'string') return [{ role: 'assistant', content: text }];
  const phase = typeof data.phase === 'string' ? { phase: data.phase as 'commentary' } : {};
  const message: ResponseOutputMessage = { type: 'message', id: data.id, role: 'assistant', status: 'completed', content: [{ type: 'output_text', text, annotations: [] }], ...phase };
  return [message];
}

/** A reasoning item is refused without the item that followed it. */
function withoutLoneReasoning(items: ResponseInputItem[]): ResponseInputItem[] {
  const kept = [...items];
  while (kept.at(-1)?.type === 'reasoning') kept.pop();
  return kept;
}

function isCustom(call: ToolCallPart | undefined, { opaque }: AssistantContext): boolean {
  const data = call?.opaque?.provider === opaque ? call.opaque.data : undefined;
  return typeof data === 'object' && data !== null && !Array.isArray(data) && data.type === 'custom_tool_call';
}

function contentOf(content: readonly ContentPart[]): string | ResponseInputContent[] {
  if (imagesOf(content).length === 0) return textOf(content) || '(empty message)';
  return content.flatMap(blockOf);
}

function outputOf(content: readonly ContentPart[]): string | (ResponseInputContent & { type: 'input_text' | 'input_image' })[] {
  return imagesOf(content).length === 0 ? resultText(content) : content.flatMap(blockOf);
}

function blockOf(part: ContentPart): (ResponseInputContent & { type: 'input_text' | 'input_image' })[] {
  if (part.type === 'image') return [{ type: 'input_image', detail: 'auto', image_url: `data:${part.mediaType};base64,${part.data}` }];
  return part.text === '' ? [] : [{ type: 'input_text', text: part.text }];
}
