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
