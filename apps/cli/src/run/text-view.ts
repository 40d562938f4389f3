// A run as a person sees it: the answer on stdout, tool lines and the footer on stderr.
import type { AgentEvent, RunResult } from '@haft/agent';
import type { ToolResult } from '@haft/core';
import { LiveLines } from '../output/live-lines.js';
import type { AnswerStream } from '../output/markdown/stream.js';
import { Sanitiser, sanitise, sanitiseLine } from '../output/sanitise.js';
import type { Terminal } from '../output/terminal.js';
import { formatDuration, resultLine } from '../output/tool-line.js';
import { hidesLines, resultDetails } from '../output/tool-details.js';
import { cutToWidth, inParts, keepEnd, rowsOf } from '../output/width.js';
import { RunningCalls } from './running-calls.js';

export interface TextViewOptions {
  terminal: Terminal;
  /** Shows the answer of a turn as it comes; absent: as the model wrote it. */
  stream?: (() => AnswerStream) | undefined;
  /** Tokens that the model can read: the footer then says how much of it is left. */
  contextWindow?: number | undefined;
  /** What stops the run. Default Ctrl-C. */
  stopKey?: string;
  /** What shows results and running output in full, where there is such a key. */
  detailsKey?: string;
  /** Gets every finished call, e.g. for showing it again. */
  onResult?: (title: string, result: ToolResult) => void;
}

/** A line in a pipe is read by a program or searched: it is neither broken nor cut soon. */
const unboundedColumns = 1_000;

/** Text that stops for longer gets a spinner. */
const patienceMs = 1_000;

export class TextView {
  readonly #terminal: Terminal;
  readonly #options: TextViewOptions;
  readonly #calls = new RunningCalls();
  readonly #live: LiveLines;
  readonly #started = performance.now();
  #text = new Sanitiser();
  #answerStream: AnswerStream | undefined;
  #status: (() => string) | undefined;
  #atLineStart = true;
  #streamed = false;
  #model = '';
  #read = 0;
  #showOutput = false;
  #typed = '';
  #queued: string[] = [];
  readonly #later: string[] = [];
  #quietSince = 0;
  /** There is more of a result than its line shows. */
  #hidden = false;

  constructor(options: TextViewOptions) {
    this.#options = options;
    this.#terminal = options.terminal;
    this.#live = new LiveLines(options.terminal);
  }

  event(event: AgentEvent): void {
    switch (event.type) {
      case 'run_started':
        this.#model = event.model;
        return;
      case 'turn_started':
        return this.#startTurn();
      case 'text_delta':
        return this.#stream(this.#text.push(event.text));
      case 'tool_call_started':
      case 'tool_call_approval':
      case 'tool_call_progress':
      case 'tool_call_output':
        this.#endText();
        this.#calls.event(event);
        if (event.type === 'tool_call_output' && this.#showOutput) this.#showChunk(event.chunk);
        return this.#show(() => this.#running());
      case 'turn_finished':
        this.#read = event.usage.input;
        return;
      case 'tool_call_finished':
        return this.#finished(event.callId, event.result);
      default:
        return this.#note(event);
    }
  }

  /** A tool runs. */
  get isCalling(): boolean {
    return this.#calls.size > 0;
  }

  /** Shows what running tools print, so far and as it comes, or no longer. */
  toggleOutput(): void {
    this.#showOutput = !this.#showOutput;
    this.#terminal.note(this.#terminal.colors.dim(this.#showOutput ? '(what tools print is shown)' : '(what tools print is hidden)'));
    if (this.#showOutput) this.#calls.printed().forEach((output) => this.#showChunk(output));
    this.#live.draw();
  }

  /** What the user types meanwhile, below everything. */
  showTyped(text: string): void {
    this.#typed = sanitiseLine(text);
    this.#live.refresh();
  }

  /** A message that waits for the model's next step, or a line that waits for the end of the turn. */
  showQueued(text: string, waits: 'for the model' | 'for the end'): void {
    (waits === 'for the end' ? this.#later : this.#queued).push(text);
    this.#live.draw();
  }

  finish(result: RunResult): void {
    this.#endText();
    this.#live.hide();
    if (!this.#streamed && result.text !== '') this.#answer(sanitise(result.text));
    this.#endLine();
    if (result.error !== undefined) this.#terminal.say(`${this.#terminal.colors.red('haft:')} ${sanitise(result.error.message)}\n`);
    this.#terminal.note(inParts(this.#footer(result), this.#terminal.columns).map(this.#terminal.colors.dim).join('\n'));
  }

  #startTurn(): void {
    this.#readQueued();
    this.#text = new Sanitiser();
    this.#answerStream = this.#options.stream?.();
    this.#streamed = false;
    this.#quietSince = performance.now();
    this.#show(() => this.#waiting('thinking'));
  }

  #running(): string {
    const { detailsKey } = this.#options;
    const hint = detailsKey === undefined || this.#showOutput || this.#calls.printed().length === 0 ? '' : ` · ${detailsKey} shows what it prints`;
    return `${this.#calls.describe()}${hint}`;
  }

  /** Nothing has been heard of the model for a while: it thinks, or writes the arguments of a call. */
  #waiting(word: string, fromMs = 0): string {
    const ms = performance.now() - this.#quietSince;
    return ms < fromMs ? '' : `${word}${ms < 1_000 ? '' : ` ${formatDuration(ms)}`} · ${this.#options.stopKey ?? 'Ctrl-C'} stops`;
  }

  /** The model's next request carries what was sent meanwhile. */
  #readQueued(): void {
    for (const text of this.#queued.splice(0)) this.#terminal.note(this.#terminal.colors.dim(sanitise(`» ${text}`)));
  }

  #finished(callId: string, result: ToolResult): void {
    const { title, asked } = this.#calls.finish(callId) ?? { title: sanitiseLine(result.tool), asked: false };
    const { colors, columns, verbose, errorIsTerminal } = this.#terminal;
    this.#endText();
    this.#terminal.note(resultLine(title, result, colors, errorIsTerminal ? columns : unboundedColumns));
    this.#hidden ||= hidesLines(result);
    if (!asked || verbose) for (const line of resultDetails(result, colors, verbose, this.#options.detailsKey)) this.#terminal.note(line);
    this.#options.onResult?.(title, result);
    this.#show(() => this.#running());
  }

  /** Until it is shown something else: the text that is being written, then `status`. */
  #show(status: (() => string) | undefined): void {
    this.#status = status;
    this.#live.show((frame) => this.#lines(frame));
    this.#live.draw();
  }

  #lines(frame: string): string[] {
    const { colors, columns, rows, quiet, errorIsTerminal } = this.#terminal;
    const below: string[] = [];
    const status = this.#status?.() ?? '';
    if (status !== '' && !quiet && errorIsTerminal) below.push(colors.dim(cutToWidth(`${frame} ${status}`, columns - 1)));
    const waiting = [...this.#queued, ...this.#later.map((text) => `${text} (after this turn)`)];
    below.push(...waiting.slice(-5).map((text) => colors.dim(cutToWidth(sanitiseLine(`» ${text}`), columns - 1))));
    if (this.#typed !== '') below.push(`› ${keepEnd(this.#typed, columns - 3)}`);
    const text = (this.#answerStream?.live() ?? []).flatMap((line) => rowsOf(line, columns));
    return [...text.slice(-Math.max(1, rows - below.length - 2)), ...below];
  }

  #showChunk(chunk: string): void {
    this.#terminal.note(this.#terminal.colors.dim(sanitise(chunk.replace(/\n$/, '')).replace(/^/gm, '  ')));
  }

  #note(event: AgentEvent): void {
    const { colors } = this.#terminal;
    const line = (text: string): void => this.#terminal.tell(text);
    if (event.type === 'retrying') line(colors.yellow(`… ${sanitiseLine(event.message)}; trying again in ${formatDuration(event.delayMs)}`));
    if (event.type === 'context_compacted') line(colors.dim(`… older messages were summarised (${event.before} → ${event.after} tokens)`));
    if (event.type === 'history_repaired' && this.#terminal.verbose) line(colors.dim(sanitise(`… history repaired: ${event.repairs.join('; ')}`)));
  }

  /** On a terminal the answer appears as it comes; elsewhere only the last turn's text is the answer, and it is written at the end. */
  #stream(text: string): void {
    if (text === '' || !this.#terminal.answerIsTerminal) return;
    this.#streamed = true;
    const stream = this.#answerStream;
    if (stream === undefined) return this.#answer(text);
    this.#quietSince = performance.now();
    this.#status = () => this.#waiting('working', patienceMs);
    const finished = stream.push(text);
    this.#answer(finished);
    if (finished === '') this.#live.refresh();
    else this.#live.draw();
  }

  /** What the turn's text still holds back. */
  #endText(): void {
    this.#stream(this.#text.end());
    if (this.#answerStream !== undefined) this.#answer(this.#answerStream.end());
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

  #footer({ turns, usage, cost, status }: RunResult): string[] {
    const { contextWindow, detailsKey } = this.#options;
    const cached = usage.cacheRead ? ` (${usage.cacheRead} cached)` : '';
    const parts = [
      sanitiseLine(this.#model),
      `${turns} ${turns === 1 ? 'turn' : 'turns'}`,
      `${usage.input}${cached} in / ${usage.output} out`,
      ...(cost === undefined || cost === 0 ? [] : [`$${cost.toFixed(4)}`]),
      formatDuration(performance.now() - this.#started),
      ...(contextWindow === undefined || this.#read === 0 ? [] : [`${Math.max(0, Math.round(100 * (1 - this.#read / contextWindow)))} % context left`]),
      ...(status === 'completed' ? [] : [status]),
      ...(this.#hidden && detailsKey !== undefined ? [`${detailsKey} shows the results`] : []),
    ];
    return parts;
  }
}

