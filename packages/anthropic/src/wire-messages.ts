/** Neutral history into the messages of Anthropic: roles alternate, results stand first and together, nothing is empty. */
import type { AssistantMessage, AssistantPart, ModelRequest, ToolCallPart, ToolMessage, UserMessage } from '@haft/agent';
import { type PairedItem, WireCache, WireIds, type WireNames, anyId, argumentsObject, imagesOf, pairHistory, resultText, wireNames } from '@haft/agent/adapter';
import type { ContentPart, Json } from '@haft/core';
import type { ContentBlockParam, ImageBlockParam, TextBlockParam, ToolResultBlockParam, ToolUseBlockParam } from '@anthropic-ai/sdk/resources/messages';

/** A message whose content is always a list, so that messages of one role can be joined. */
export interface WireMessage {
  role: 'user' | 'assistant';
  content: ContentBlockParam[];
}

const userForms = new WireCache<UserMessage, ContentBlockParam[]>();
const assistantForms = new WireCache<AssistantMessage, ContentBlockParam[]>();
const resultLists = new WireCache<AssistantMessage, { results: readonly ToolMessage[]; blocks: ContentBlockParam[] }>();

export function wireMessages(provider: string, request: ModelRequest): WireMessage[] {
  const { items } = pairHistory(request.messages);
  const names = wireNames(request.tools);
  const ids = new WireIds(anyId);
  const messages: WireMessage[] = [];
  for (const item of items) {
    if (item.kind === 'user') append(messages, 'user', userForms.get(item.message, '', () => blocksOf(item.message.content)));
    else appendAssistant(messages, item, { provider, names, ids });
  }
  if (messages[0]?.role !== 'user') messages.unshift(note('(The conversation goes on.)'));
  const last = items.at(-1);
  const paused = last?.kind === 'assistant' && last.message.finish === 'pause';
  if (messages.at(-1)?.role === 'assistant' && !paused) messages.push(note('Go on.'));
  return messages;
}

interface Context {
  provider: string;
  names: WireNames;
  ids: WireIds;
}

function appendAssistant(messages: WireMessage[], item: PairedItem & { kind: 'assistant' }, context: Context): void {
  const ids = item.calls.map((call) => context.ids.assign(call));
  const variant = `${context.provider} ${ids.join(' ')}`;
  const idOf = (call: ToolCallPart): string => ids[item.calls.indexOf(call)] ?? '';
  append(messages, 'assistant', assistantForms.get(item.message, variant, () => item.message.parts.flatMap((part) => blockOf(part, idOf, context))));
  append(messages, 'user', resultBlocks(item, ids, variant));
}

/** The same list as long as the same results stand there. */
function resultBlocks({ message, results }: PairedItem & { kind: 'assistant' }, ids: readonly string[], variant: string): ContentBlockParam[] {
  if (results.length === 0) return [];
  const kept = resultLists.get(message, variant, () => ({ results, blocks: results.map((result, index) => resultBlock(result, ids[index] ?? '')) }));
  if (kept.results.every((result, index) => result === results[index])) return kept.blocks;
  kept.results = results;
  kept.blocks = results.map((result, index) => resultBlock(result, ids[index] ?? ''));
  return kept.blocks;
}

/** Joins what the same role says next: a message of results and the user's words after it are one. Kept lists stay as they are. */
function append(messages: WireMessage[], role: 'user' | 'assistant', blocks: ContentBlockParam[]): void {
  if (blocks.length === 0) return;
  const last = messages.at(-1);
  if (last?.role === role) last.content = [...last.content, ...blocks];
  else messages.push({ role, content: blocks });
}

const note = (text: string): WireMessage => ({ role: 'user', content: [{ type: 'text', text }] });

function blocksOf(content: readonly ContentPart[]): (TextBlockParam | ImageBlockParam)[] {
  return content.flatMap((part): (TextBlockParam | ImageBlockParam)[] => {
    if (part.type === 'image') return [{ type: 'image', source: { type: 'base64', media_type: part.mediaType as 'image/png', data: part.data } }];
    return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }];
  });
}

function resultBlock(result: ToolMessage, id: string): ToolResultBlockParam {
  const content = imagesOf(result.content).length > 0 ? blocksOf(result.content) : resultText(result.content);
  return { type: 'tool_result', tool_use_id: id, content, ...(result.status === 'success' ? {} : { is_error: true }) };
}

/** Reasoning, citations and blocks of the service's own tools go back only to where they came from. */
function blockOf(part: AssistantPart, idOf: (call: ToolCallPart) => string, { provider, names }: Context): ContentBlockParam[] {
  const data = part.opaque?.provider === provider ? (part.opaque.data as Record<string, Json>) : undefined;
  if (part.type === 'tool_call') {
    const block: ToolUseBlockParam = { type: 'tool_use', id: idOf(part), name: names.toWire(part.name), input: argumentsObject(part.arguments) };
    return [Object.assign(block, data)];
  }
  if (part.type === 'reasoning') {
    if (data === undefined || (data.type === 'thinking' && data.signature === '')) return [];
    return [(data.type === 'thinking' ? { type: 'thinking', thinking: part.text, signature: data.signature } : data) as ContentBlockParam];
  }
  if (data !== undefined && data.type !== 'text') return [data as unknown as ContentBlockParam];
  if (part.text.trim() === '') return [];
  return [{ type: 'text', text: part.text, ...(data === undefined ? {} : { citations: data.citations as never }) }];
}
