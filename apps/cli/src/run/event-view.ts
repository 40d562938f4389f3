// Readers of a run's events: one for people, one for programs.
import type { AgentEvent, RunResult } from '@haft/agent';
import type { OutputFormat } from '../command/flag-layer.js';
import type { MarkdownStream } from '../output/markdown/stream.js';
import { safeJson } from '../output/safe-json.js';
import type { Terminal } from '../output/terminal.js';
import { TextView } from './text-view.js';

export interface EventView {
  event(event: AgentEvent): void;
  /** Called once, at the end. */
  finish(result: RunResult): void;
}

export async function viewFor(format: OutputFormat, terminal: Terminal, contextWindow?: number): Promise<EventView> {
  switch (format) {
    case 'json':
      return jsonView(terminal);
    case 'stream-json':
      return { event: (event) => terminal.answer(`${safeJson(event)}\n`), finish: () => undefined };
    case 'text':
      return new TextView({ terminal, markdown: await markdownFor(terminal), contextWindow });
  }
}

/** Makes a renderer for each turn; undefined where the answer is not for a terminal with colours, and stays as the model wrote it. */
export async function markdownFor(terminal: Terminal): Promise<(() => MarkdownStream) | undefined> {
  if (!terminal.answerIsTerminal || !terminal.answerColors.enabled) return undefined;
  const { MarkdownStream } = await import('../output/markdown/stream.js');
  return () => new MarkdownStream(terminal.answerColors, () => terminal.columns);
}

/** One object at the end: `{ text, status, turns, usage, cost?, toolCalls, sessionId, denials?, error? }`. */
function jsonView(terminal: Terminal): EventView {
  return {
    event: () => undefined,
    finish: ({ text, status, turns, usage, cost, toolCalls, sessionId, error }) => {
      const denials = denialsOf(toolCalls);
      const refused = denials.some(({ code }) => code === 'approval_unavailable') ? { code: 'approval_unavailable', message: unanswered } : undefined;
      terminal.answer(`${safeJson({ text, status, turns, usage, cost, toolCalls, sessionId, denials, error: error ?? refused })}\n`);
    },
  };
}

const refusals = new Set(['permission_denied', 'approval_declined', 'approval_unavailable']);

export interface Denial {
  callId: string;
  tool: string;
  code: string;
  message: string;
}

/** The calls that were not allowed to run; a run may complete all the same. */
export function denialsOf(toolCalls: RunResult['toolCalls']): Denial[] {
  return toolCalls.flatMap(({ call, result: { code = '', error = '' } }) => (refusals.has(code) ? [{ callId: call.id, tool: call.name, code, message: error }] : []));
}

/** Of a run that ends with the exit status for it. */
export const unanswered = 'A call needed approval and nobody could be asked, so it was refused. Allow it with --allow "RULE" or in the config, or run with --yes.';
