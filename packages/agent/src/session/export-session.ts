/** A conversation as a text to read or to process. */
import type { AssistantPart, Message } from '../messages.js';
import { contentText } from '../context/message-text.js';
import type { StoredSession } from './session-store.js';

export type ExportFormat = 'markdown' | 'json' | 'jsonl';

export function exportText(session: StoredSession, format: 'markdown' | 'json'): string {
  if (format === 'json') return `${JSON.stringify(session, null, 2)}\n`;
  return `# Session ${session.id}\n\n${session.messages.map(markdownOf).join('\n')}`;
}

function markdownOf(message: Message): string {
  if (message.role === 'user') return `## ${message.origin === undefined || message.origin === 'user' ? 'User' : `Note (${message.origin})`}\n\n${contentText(message.content)}\n`;
  if (message.role === 'tool') return `### Result of ${message.tool}: ${message.status}\n\n${fenced(contentText(message.content))}\n`;
  return `## Assistant\n\n${message.parts.map(partOf).join('\n\n')}\n`;
}

function partOf(part: AssistantPart): string {
  if (part.type === 'text') return part.text;
  if (part.type === 'tool_call') return `Calls \`${part.name}\`:\n\n${fenced(part.arguments)}`;
  return part.text === '' ? '(reasoning that the provider keeps to itself)' : part.text.replace(/^/gm, '> ');
}

/** A fence longer than any in the text, so that the text cannot end it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
