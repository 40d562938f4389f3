// A run as a person sees it: the answer on stdout, tool lines and the footer on stderr.
import type { AgentEvent, RunResult } from '@haft/agent';
import type { ToolResult } from '@haft/core';
import type { MarkdownStream } from '../output/markdown/stream.js';
import { Sanitiser, sanitise, sanitiseLine } from '../output/sanitise.js';
import { StatusLine } from '../output/status-line.js';
import type { Terminal } from '../output/terminal.js';
import { formatDuration, resultLine } from '../output/tool-line.js';
import { resultDetails } from '../output/tool-details.js';
import { RunningCalls } from './running-calls.js';

export interface TextViewOptions {
  terminal: Terminal;
  /** Renders the answer; absent: as the model wrote it. */
  markdown?: (() => MarkdownStream) | undefined;
  /** Tokens that the model can read: the footer then says how much of it is left. */
  contextWindow?: number | undefined;
  /** Gets every finished call, e.g. for showing it again. */
  onResult?: (title: string, result: ToolResult) => void;
}

export class TextView {
  readonly #terminal: Terminal;
  readonly #options: TextViewOptions;
  readonly #calls = new RunningCalls();
  readonly #status: StatusLine;
  readonly #started = performance.now();
  #text = new Sanitiser();
  #markdown: MarkdownStream | undefined;
  #atLineStart = true;
  #streamed = false;
  #model = '';
  #read = 0;
  #showOutput = false;
  #typed = '';

  constructor(options: TextViewOptions) {
    this.#options = options;
    this.#terminal = options.terminal;
    this.#status = new StatusLine(options.terminal);
  }

  event(event: AgentEvent): void {
    switch (event.type) {
      case 'run_started':
        this.#model = event.model;
        return;
      case 'turn_started':
        this.#text = new Sanitiser();
        this.#markdown = this.#options.markdown?.();
        this.#streamed = false;
        return this.#setStatus(() => 'thinking');
      case 'text_delta':
        return this.#stream(this.#text.push(event.text));
      case 'tool_call_started':
      case 'tool_call_approval':
      case 'tool_call_progress':
      case 'tool_call_output':
        this.#endText();
        this.#calls.event(event);
        if (event.type === 'tool_call_output' && this.#showOutput) this.#showChunk(event.chunk);
        return this.#setStatus(this.#calls.asking ? undefined : () => this.#calls.describe());
      case 'turn_finished':
        this.#read = event.usage.input;
        return;
      case 'tool_call_finished':
        return this.#finished(event.callId, event.result);
      default:
        return this.#note(event);
    }
  }

  /** Shows what running tools print, as it comes, or no longer. */
  toggleOutput(): void {
    this.#showOutput = !this.#showOutput;
  }

  /** What the user types meanwhile, on the status line. */
  showTyped(text: string): void {
    this.#typed = sanitiseLine(text);
  }

  /** A message that the model reads with its next step. */
  showSteering(text: string): void {
    this.#terminal.note(this.#terminal.colors.dim(sanitise(`» ${text}`)));
  }

  finish(result: RunResult): void {
    this.#endText();
    this.#status.set(undefined);
    if (!this.#streamed && result.text !== '') this.#answer(sanitise(result.text));
    this.#endLine();
    if (result.error !== undefined) this.#terminal.say(`${this.#terminal.colors.red('haft:')} ${sanitise(result.error.message)}\n`);
    this.#terminal.note(this.#terminal.colors.dim(this.#footer(result)));
  }

  #finished(callId: string, result: ToolResult): void {
    const { title, asked } = this.#calls.finish(callId) ?? { title: sanitiseLine(result.tool), asked: false };
    const { colors, columns, verbose } = this.#terminal;
    this.#endText();
    this.#terminal.note(resultLine(title, result, colors, columns));
    if (!asked || verbose) for (const line of resultDetails(result, colors, verbose)) this.#terminal.note(line);
    this.#options.onResult?.(title, result);
    this.#setStatus(this.#calls.size === 0 ? () => 'thinking' : () => this.#calls.describe());
  }

  #setStatus(text: (() => string) | undefined): void {
    this.#status.set(text === undefined ? undefined : () => (this.#typed === '' ? text() : `» ${this.#typed}`));
  }

  #showChunk(chunk: string): void {
    this.#terminal.note(this.#terminal.colors.dim(sanitise(chunk.replace(/\n$/, '')).replace(/^/gm, '  ')));
  }

  #note(event: AgentEvent): void {
    const { colors } = this.#terminal;
    const line = (text: string): void => {
        this.#terminal.note(text);
    };
    if (event.type === 'retrying') line(colors.yellow(`… ${sanitiseLine(event.message)}; trying again in ${formatDuration(event.delayMs)}`));
    if (event.type === 'context_compacted') line(colors.dim(`… older messages were summarised (${event.before} → ${event.after} tokens)`));
    if (event.type === 'history_repaired' && this.#terminal.verbose) line(colors.dim(sanitise(`… history repaired: ${event.repairs.join('; ')}`)));
  }

  /** On a terminal the answer appears as it comes; elsewhere only the last turn's text is the answer, and it is written at the end. */
  #stream(text: string): void {
    if (text === '' || !this.#terminal.answerIsTerminal) return;
    this.#streamed = true;
    const markdown = this.#markdown;
    if (markdown === undefined) return this.#answer(text);
    this.#answer(markdown.push(text));
    this.#setStatus(() => tail(markdown.pending, this.#terminal.columns - 4));
  }

  /** What the turn's text still holds back. */
  #endText(): void {
    this.#stream(this.#text.end());
    if (this.#markdown !== undefined) this.#answer(this.#markdown.end());
    this.#endLine();
  }

  #answer(text: string): void {
    if (text === '') return;
    this.#terminal.answer(text);
    this.#atLineStart = text.endsWith('\n');
  }

  #endLine(): void {
    if (!this.#atLineStart) this.#answer('\n');
  }

  #footer({ turns, usage, cost, status }: RunResult): string {
    const { contextWindow } = this.#options;
    const cached = usage.cacheRead ? ` (${usage.cacheRead} cached)` : '';
    const parts = [
      sanitiseLine(this.#model),
      `${turns} ${turns === 1 ? 'turn' : 'turns'}`,
      `${usage.input}${cached} in / ${usage.output} out`,
      ...(cost === undefined || cost === 0 ? [] : [`$${cost.toFixed(4)}`]),
      formatDuration(performance.now() - this.#started),
      ...(contextWindow === undefined || this.#read === 0 ? [] : [`${Math.max(0, Math.round(100 * (1 - this.#read / contextWindow)))} % context left`]),
      ...(status === 'completed' ? [] : [status]),
    ];
    return parts.join(' · ');
  }
}

/** The end of a text that is being written, for the status line. */
function tail(text: string, columns: number): string {
  return text.length <= columns ? text : `…${text.slice(-Math.max(8, Math.floor(columns / 2)))}`;
}
