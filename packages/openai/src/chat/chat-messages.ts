/** Neutral history into messages of Chat Completions. */
import type { AssistantMessage, AssistantPart, ModelRequest, ToolMessage, UserMessage } from '@haft/agent';
import { type PairedItem, WireCache, WireIds, type WireNames, argumentsText, imagesOf, pairHistory, resultText, textOf, wireNames } from '@haft/agent/adapter';
import type { ContentPart } from '@haft/core';
import type { ChatCompletionAssistantMessageParam, ChatCompletionContentPart, ChatCompletionMessageParam, ChatCompletionMessageToolCall } from 'openai/resources/chat/completions';
import type { Profile } from '../profiles.js';

const userForms = new WireCache<UserMessage, ChatCompletionMessageParam>();
const assistantForms = new WireCache<AssistantMessage, ChatCompletionMessageParam | undefined>();
const imageForms = new WireCache<AssistantMessage, ChatCompletionMessageParam>();
const toolForms = new WireCache<ToolMessage, ChatCompletionMessageParam>();

export function chatMessages(profile: Profile, request: ModelRequest): ChatCompletionMessageParam[] {
  const { items } = pairHistory(request.messages);
  const running = items.findLastIndex((item) => item.kind === 'user' && (item.message.origin ?? 'user') === 'user');
  const names = wireNames(request.tools);
  const ids = new WireIds(profile.ids);
  const messages: ChatCompletionMessageParam[] = [];
  if (request.system) messages.push({ role: 'system', content: request.system });
  for (const [index, item] of items.entries()) {
    if (item.kind === 'user') messages.push(userForms.get(item.message, '', () => userMessage(item.message.content)));
    else pushAssistant(messages, item, { profile, names, ids, running: index > running });
  }
  return profile.userAfterTool ? messages : withWordsBetween(messages);
}

function withWordsBetween(messages: ChatCompletionMessageParam[]): ChatCompletionMessageParam[] {
  return messages.flatMap((message, index) => (message.role === 'user' && messages[index - 1]?.role === 'tool' ? [{ role: 'assistant', content: 'Understood.' }, message] : [message]));
}

interface AssistantContext {
  profile: Profile;
  names: WireNames;
  ids: WireIds;
  /** Whether it belongs to the exchange that the user's last message began. */
  running: boolean;
}

function pushAssistant(messages: ChatCompletionMessageParam[], item: PairedItem & { kind: 'assistant' }, context: AssistantContext): void {
  const ids = item.calls.map((call) => context.ids.assign(call));
  const variant = `${context.profile.name} ${context.running} ${ids.join(' ')}`;
  const message = assistantForms.get(item.message, variant, () => assistantMessage(item.message.parts, ids, context));
  if (message !== undefined) messages.push(message);
  for (const [index, result] of item.results.entries()) {
    const id = ids[index] ?? '';
    messages.push(toolForms.get(result, id, () => ({ role: 'tool', tool_call_id: id, content: resultText(result.content) })));
  }
  const withImages = item.results.filter((result) => result.content.some((part) => part.type === 'image'));
  if (withImages.length > 0) messages.push(imageForms.get(item.message, String(withImages.length), () => imagesMessage(withImages)));
}

/** Tool messages carry text only: their images follow in one message of the user. */
function imagesMessage(results: readonly ToolMessage[]): ChatCompletionMessageParam {
  const tools = [...new Set(results.map((result) => result.tool))].join(', ');
  return userMessage([{ type: 'text', text: `Images returned by ${tools}, in order:` }, ...results.flatMap((result) => imagesOf(result.content))]);
}

function userMessage(content: readonly ContentPart[]): ChatCompletionMessageParam {
  const parts = content.flatMap((part): ChatCompletionContentPart[] => {
    if (part.type === 'image') return [{ type: 'image_url', image_url: { url: `data:${part.mediaType};base64,${part.data}` } }];
    return part.text === '' ? [] : [{ type: 'text', text: part.text }];
  });
  if (parts.every((part) => part.type === 'text')) return { role: 'user', content: textOf(content) || '(empty message)' };
  return { role: 'user', content: parts };
}

/** Undefined when the message says nothing that goes back. */
function assistantMessage(parts: readonly AssistantPart[], ids: readonly string[], context: AssistantContext): ChatCompletionMessageParam | undefined {
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  const calls = parts.filter((part) => part.type === 'tool_call');
  if (text === '' && calls.length === 0) return undefined;
  const tool_calls = calls.map((call, index): ChatCompletionMessageToolCall => {
    const extra = call.opaque?.provider === context.profile.name ? (call.opaque.data as object) : {};
    return { id: ids[index] ?? '', type: 'function', function: { name: context.names.toWire(call.name), arguments: argumentsText(call.arguments) }, ...extra };
  });
  // No text: the field is left out, for some servers refuse null in it.
  const message: ChatCompletionAssistantMessageParam = text === '' ? { role: 'assistant' } : { role: 'assistant', content: text };
  if (tool_calls.length > 0) message.tool_calls = tool_calls;
  return Object.assign(message, reasoningFields(parts, tool_calls.length > 0, context));
}

/** Reasoning goes back only where the profile says so: a server that does not know the field refuses it. */
function reasoningFields(parts: readonly AssistantPart[], hasCalls: boolean, { profile, running }: AssistantContext): Record<string, unknown> {
  const reasoning = parts.filter((part) => part.type === 'reasoning');
  const opaque = reasoning.find((part) => part.opaque?.provider === profile.name)?.opaque;
  const fields = profile.opaqueFields && opaque !== undefined ? (opaque.data as Record<string, unknown>) : {};
  const echo = profile.echoReasoning;
  if (echo === undefined || (echo.turns === 'running' && !running)) return fields;
  const text = reasoning.map((part) => part.text).join('');
  return text === '' && !hasCalls ? fields : { ...fields, [echo.field]: text };
}
