// `haft tools call NAME 'JSON'`: one call through the dispatcher.
import type { ToolResult } from '@haft/core';
import { readText } from '../config/read-text.js';
import type { ExitCode } from '../exit-code.js';
import { safeJson } from '../output/safe-json.js';
import { sanitise } from '../output/sanitise.js';
import type { Terminal } from '../output/terminal.js';
import { exitStatusOfResult, withDirectCalls } from '../run/direct-calls.js';
import type { Invocation } from './program.js';

/** Writes the result's text, or with `json` the whole result; what went wrong goes to stderr when it is not JSON. */
export async function callTool(name: string, json: string, asJson: boolean, invocation: Invocation): Promise<ExitCode> {
  const text = json === '-' ? await readText('-') : json;
  return withDirectCalls(invocation, async ({ call, stop }) => {
    const result = await call({ id: 'call-1', name, arguments: text });
    if (asJson) invocation.terminal.answer(`${safeJson(result)}\n`);
    else showResult(result, invocation.terminal);
    return exitStatusOfResult(result, stop);
  });
}

function showResult(result: ToolResult, terminal: Terminal): void {
  const text = sanitise(textOf(result.content));
  if (result.success) {
    terminal.answer(text.endsWith('\n') ? text : `${text}\n`);
    return;
  }
  terminal.say(`${terminal.colors.red('haft:')} ${sanitise(result.tool)}: ${result.code ?? result.status}: ${sanitise(inLines(result))}\n`);
  for (const { path, message } of result.details ?? []) {
    if (!(result.error ?? '').includes(message)) terminal.say(`  ${sanitise(path)}: ${sanitise(message)}\n`);
  }
}

/** Several faults that stand in one sentence each get a line. */
function inLines({ error = '', details = [] }: ToolResult): string {
  const messages = details.map(({ message }) => message);
  return messages.length > 1 && error === messages.join('; ') ? `${messages.length} things are wrong\n  ${messages.join('\n  ')}` : error;
}

/** The text of a result; an image is named by its type. */
export function textOf(content: ToolResult['content']): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : `[image, ${part.mediaType}]`)).join('\n');
}
