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

/** One object at the end: `{ text, status, turns, usage, cost?, toolCalls, sessionId, error? }`. */
function jsonView(terminal: Terminal): EventView {
  return {
    event: () => undefined,
    finish: ({ text, status, turns, usage, cost, toolCalls, sessionId, error }) =>
      terminal.answer(`${safeJson({ text, status, turns, usage, cost, toolCalls, sessionId, error })}\n`),
  };
}
