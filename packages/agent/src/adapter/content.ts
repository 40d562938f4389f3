/** Content of messages as providers demand it: never empty. */
import type { ContentPart } from '@haft/core';

export type ImagePart = ContentPart & { type: 'image' };

/** The text parts joined by line ends. */
export function textOf(content: readonly ContentPart[]): string {
  return content.flatMap((part) => (part.type === 'text' && part.text !== '' ? [part.text] : [])).join('\n');
}

export function imagesOf(content: readonly ContentPart[]): ImagePart[] {
  return content.filter((part) => part.type === 'image');
}

/** Text of a tool's result where only text is taken: says what is missing, never blank. */
export function resultText(content: readonly ContentPart[]): string {
  const text = textOf(content);
  if (text.trim() !== '') return text;
  const images = imagesOf(content).length;
  return images > 0 ? `(${images === 1 ? 'an image' : `${images} images`}: see the next message)` : '(no output)';
}
