// The end of a conversation that goes on: the last question and the end of its answer, so that one knows where one is.
import type { Message } from '@haft/agent';
import { sanitise } from '../output/sanitise.js';
import type { Terminal } from '../output/terminal.js';
import { answerStreamFor } from '../run/event-view.js';

/** Of a session whose process died in the middle of a run. */
export const interruptedNote = 'The last run of this conversation was interrupted: /continue goes on with it, a new message closes it.';

const questionLines = 4;
const answerLines = 20;

export async function showEnd(messages: readonly Message[], terminal: Terminal): Promise<void> {
  const at = messages.findLastIndex((message) => message.role === 'user' && (message.origin ?? 'user') === 'user');
  const question = messages[at];
  if (question?.role !== 'user') return;
  const asked = question.content.find((part) => part.type === 'text')?.text ?? '';
  const answered = messages.slice(at).flatMap((message) => (message.role === 'assistant' ? message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : [])).at(-1) ?? '';
  const { bold, dim } = terminal.colors;
  const lines = sanitise(asked).trim().split('\n');
  terminal.note(`${bold('>')} ${lines.slice(0, questionLines).join('\n… ')}${lines.length > questionLines ? dim(' …') : ''}`);
  const stream = (await answerStreamFor(terminal))?.();
  const text = sanitise(answered);
  const shown = (stream === undefined ? text : stream.push(text) + stream.end()).trimEnd().split('\n');
  if (shown.length > answerLines) terminal.note(dim(`… ${shown.length - answerLines} lines before`));
  if (answered !== '') terminal.note(shown.slice(-answerLines).join('\n'));
}
