/** How many tokens a message is, roughly and rather too many: used between two counts of the provider. */
import type { ToolDefinition } from '@haft/core';
import type { Message } from '../messages.js';

/** About what providers charge for a picture of ordinary size. */
const IMAGE_TOKENS = 1_600;
/** Roles, separators, ids. */
const MESSAGE_TOKENS = 6;
/** Characters of code and English a token holds; text in other scripts has about one token a character. */
const ASCII_PER_TOKEN = 3.5;

const known = new WeakMap<object, number>();

export function messageTokens(message: Message): number {
  let tokens = known.get(message);
  if (tokens === undefined) {
    tokens = MESSAGE_TOKENS + (message.role === 'assistant' ? sum(message.parts, partTokens) : sum(message.content, partTokens));
    known.set(message, tokens);
  }
  return tokens;
}

export function toolTokens(tools: readonly ToolDefinition[]): number {
  let tokens = known.get(tools);
  if (tokens === undefined) {
    tokens = sum(tools, (tool) => textTokens(tool.name) + textTokens(tool.description) + textTokens(JSON.stringify(tool.parameters)));
    known.set(tools, tokens);
  }
  return tokens;
}

export function textTokens(text: string): number {
  let other = 0;
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 0x7f) other += 1;
  return Math.ceil((text.length - other) / ASCII_PER_TOKEN + other);
}

type Part = { type: string; text?: string; name?: string; arguments?: string; opaque?: { data: unknown } };

function partTokens(part: Part): number {
  if (part.type === 'image') return IMAGE_TOKENS;
  const opaque = part.opaque === undefined ? 0 : textTokens(JSON.stringify(part.opaque.data));
  return opaque + textTokens(part.text ?? '') + textTokens(part.name ?? '') + textTokens(part.arguments ?? '');
}

function sum<T>(items: readonly T[], count: (item: T) => number): number {
  let total = 0;
  for (const item of items) total += count(item);
  return total;
}
