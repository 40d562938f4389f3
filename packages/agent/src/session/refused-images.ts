/** What is left out of a conversation when the provider refuses a request that carried new images: sent again, they would make every later request fail too. */
import type { Message } from '../messages.js';

/** True when the results after the last answer hold an image. */
export function endsWithImages(messages: readonly Message[]): boolean {
  return lastResults(messages).some((index) => hasImage(messages[index]));
}

/** Replaces, in place, the images of the results after the last answer by a note, so that the model knows that it has not seen them. */
export function leaveOutLastImages(messages: Message[]): void {
  for (const index of lastResults(messages)) {
    const message = messages[index];
    if (message?.role !== 'tool' || !hasImage(message)) continue;
    // A new message: the old one may be shared with the transcript, which keeps what was said.
    messages[index] = { ...message, content: message.content.map((part) => (part.type === 'image' ? { type: 'text', text: note(part.mediaType) } : part)) };
  }
}

function lastResults(messages: readonly Message[]): number[] {
  const indexes: number[] = [];
  for (let index = messages.length - 1; index >= 0 && messages[index]?.role !== 'assistant'; index -= 1) if (messages[index]?.role === 'tool') indexes.push(index);
  return indexes;
}

function hasImage(message: Message | undefined): boolean {
  return message?.role === 'tool' && message.content.some((part) => part.type === 'image');
}

function note(mediaType: string): string {
  return `[An image (${mediaType}) was here. It is left out, because the provider refused the request that carried it.]`;
}
