// Readers of a run's events: one for people, one for programs.
import type { AgentEvent, RunResult } from '@haft/agent';
import type { OutputFormat } from '../command/flag-layer.js';
import type { AnswerStream } from '../output/markdown/stream.js';
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
      return new TextView({ terminal, stream: await answerStreamFor(terminal), contextWindow });
  }
}

/** Makes the stream of each turn; undefined where the answer is written just as the model wrote it. Without colours it stays Markdown. */
export async function answerStreamFor(terminal: Terminal): Promise<(() => AnswerStream) | undefined> {
  if (!terminal.answerIsTerminal) return undefined;
  const columns = (): number => terminal.columns;
  if (terminal.answerColors.enabled) {
    const { MarkdownStream } = await import('../output/markdown/stream.js');
    return () => new MarkdownStream(terminal.answerColors, columns);
  }
  if (!terminal.canRedraw) return undefined;
  const { PlainStream } = await import('../output/plain-stream.js');
  return () => new PlainStream(columns);
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
