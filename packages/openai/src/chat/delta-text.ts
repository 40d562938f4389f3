/** Text and reasoning out of a delta, in the forms that servers use. */
import type { ChatDelta } from './chunk.js';

interface Block {
  type?: string;
  text?: unknown;
  thinking?: unknown;
}

/** The text of `content`: a string, or blocks of which only text counts. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return blocks(content).map((block) => (block.type === 'text' && typeof block.text === 'string' ? block.text : '')).join('');
}

/** Reasoning beside the text: `reasoning_content`, `reasoning`, or thinking blocks in `content`. */
export function reasoningOf(delta: ChatDelta): string {
  if (typeof delta.reasoning_content === 'string' && delta.reasoning_content !== '') return delta.reasoning_content;
  if (typeof delta.reasoning === 'string') return delta.reasoning;
  return blocks(delta.content).map((block) => (block.type === 'thinking' ? textOf(block.thinking) : '')).join('');
}

function blocks(content: unknown): Block[] {
  return Array.isArray(content) ? (content as Block[]) : [];
}
