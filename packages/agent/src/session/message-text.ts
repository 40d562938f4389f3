/** What a person would read of a message. */
import type { ContentPart } from '@haft/core';
import type { Message } from '../messages.js';

export function messageText(message: Message): string {
  if (message.role !== 'assistant') return contentText(message.content);
  return message.parts.map((part) => (part.type === 'tool_call' ? `${part.name} ${part.arguments}` : part.text)).join('\n');
}

export function contentText(content: readonly ContentPart[]): string {
  return content.map((part) => (part.type === 'text' ? part.text : `[image ${part.mediaType}]`)).join('\n');
}

/** A part of a text in UTF-16 units that does not begin or end inside a character. */
export function wholeSlice(text: string, start: number, end: number): string {
  const from = isLow(text, start) ? start - 1 : start;
  return text.slice(from, isLow(text, end) ? end - 1 : end);
}

function isLow(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
