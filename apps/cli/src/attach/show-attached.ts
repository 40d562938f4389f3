// What became of the files of a message, a line each.
import { sanitiseLine } from '../output/sanitise.js';
import type { Terminal } from '../output/terminal.js';
import type { AttachNote } from './attach.js';

export function showAttached(notes: readonly AttachNote[], terminal: Terminal): void {
  const { dim, yellow } = terminal.colors;
  for (const { text, attached } of notes) terminal.tell((attached ? dim : yellow)(sanitiseLine(attached ? `+ ${text}` : text)));
}

/** Of `provider:model`. Whether another model sees images, its provider says when one is sent. */
export function seesImages(model: string): boolean {
  return model.split(':')[0] !== 'offline';
}
