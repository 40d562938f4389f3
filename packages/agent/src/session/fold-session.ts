/** From the records of a session to what they come to: the conversation, and the run that was not finished. */
import { appendMessages, appendPrompt } from '../message-list.js';
import type { ToolCall, ToolResult } from '@haft/core';
import { cancelledResult, toolMessage, unknownResult } from '../loop/results.js';
import { addUsage, noUsage } from '../loop/usage.js';
import type { AssistantMessage, Message, Usage, UserMessage } from '../messages.js';
import { type UnfinishedRun, steeringKey } from './agent-session.js';
import { type SessionHeader, type SessionRecord, isMessage, isObject, isToolResult, isUsage } from './records.js';
import { leaveOutLastImages } from './refused-images.js';
import { RunRecords } from './run-records.js';

export interface FoldedSession {
  header: SessionHeader | undefined;
  title: string | undefined;
  /** The conversation as the model is told it, without the unfinished run. */
  messages: Message[];
  unfinished: { run: UnfinishedRun; records: RunRecords; messages: Message[] } | undefined;
  /** Everything that was said, also what was left out later to save space; the unfinished run included. */
  transcript: Message[];
  /** Of all finished turns. */
  usage: Usage;
  cost: number | undefined;
  runs: number;
}

/** The value of a step, read from its blob where it was large; undefined when that cannot be read. */
export type ReadBlob = (ref: string) => unknown;

export function foldSession(records: readonly SessionRecord[], readBlob: ReadBlob): FoldedSession {
  const fold = new Fold(readBlob);
  for (const record of records) fold.apply(record);
  return fold.end();
}

class Fold {
  private readonly folded: FoldedSession = { header: undefined, title: undefined, messages: [], transcript: [], unfinished: undefined, usage: noUsage(), cost: undefined, runs: 0 };
  private run: RunFold | undefined;

  constructor(private readonly readBlob: ReadBlob) {}

  apply(record: SessionRecord): void {
    const { folded } = this;
    switch (record.t) {
      case 'session':
        folded.header ??= record;
        break;
      case 'title':
        folded.title = record.title;
        break;
      case 'message':
        folded.messages.push(record.message);
        folded.transcript.push(record.message);
        break;
      case 'run':
        // A run before it whose end is missing (a corrupt line) counts as closed.
        this.finishRun(false);
        folded.runs += 1;
        this.run = new RunFold(record, folded.messages);
        break;
      case 'closed':
        if (record.run === this.run?.runId) this.finishRun(false);
        break;
      case 'end':
        if (typeof record.cost === 'number') folded.cost = (folded.cost ?? 0) + record.cost;
        if (record.run === this.run?.runId) this.finishRun(record.withdrawn === true, record.imagesRefused === true);
        break;
      default:
        if (record.run === this.run?.runId) this.applyToRun(record, this.run);
    }
  }

  end(): FoldedSession {
    const { run, folded } = this;
    if (run === undefined) return folded;
    const messages = run.messages();
    appendMessages(folded.transcript, run.said);
    folded.unfinished = { run: { runId: run.runId, input: run.input, model: run.model, history: folded.messages, steering: run.steering() }, records: run.records, messages };
    return folded;
  }

  private applyToRun(record: Extract<SessionRecord, { t: 'step' | 'claim' | 'signal' }>, run: RunFold): void {
    if (record.t === 'claim') run.records.claims.set(record.key, record.attempt);
    else if (record.t === 'signal') run.records.signals.set(record.key, record.value);
    else {
      const value = 'ref' in record ? this.readBlob(record.ref) : record.value;
      if (value === undefined) return;
      const usage = run.step(record.key, value);
      if (usage !== undefined) addUsage(this.folded.usage, usage);
    }
  }

  private finishRun(withdrawn: boolean, imagesRefused = false): void {
    if (this.run === undefined) return;
    const { run, folded } = this;
    this.run = undefined;
    const messages = run.messages();
    appendMessages(folded.transcript, run.said);
    if (imagesRefused) leaveOutLastImages(messages);
    if (!withdrawn) folded.messages = messages;
  }
}

/** The conversation as one run leaves it, rebuilt from its steps in the way the loop built it. */
class RunFold {
  readonly runId: string;
  readonly input: UnfinishedRun['input'];
  readonly model: string;
  readonly records = new RunRecords();
  /** What was said in this run, whatever was left out later. */
  readonly said: Message[];
  private history: Message[];
  private calls: ToolCall[] = [];
  /** How many steering messages are part of recorded answers. */
  private carried = 0;
  /** How many of them were taken after a final answer, for the next one. */
  private late = 0;
  /** New content of the current turn's results that were too large together. */
  private shortened: Record<string, unknown> = {};

  constructor(record: Extract<SessionRecord, { t: 'run' }>, before: readonly Message[]) {
    this.runId = record.run;
    this.input = record.input;
    this.model = record.model;
    this.history = [...before];
    appendPrompt(this.history, record.input);
    this.said = [record.input];
  }

  /** Takes a step's value in; the usage when it is an answer of the model. */
  step(key: string, value: unknown): Usage | undefined {
    this.records.steps.set(key, value);
    if (!isObject(value)) return undefined;
    if (key.endsWith('/more') && Array.isArray(value.messages)) this.carried += this.late = value.messages.length;
    if (key.endsWith('/shortened')) this.shortened = value;
    if (key.endsWith('/compact')) {
      this.compact(value);
      return usageOf(value);
    }
    if (!/\/model(\/\d+)?(\/try\/\d+)?$/.test(key) || !isMessage(value.message) || value.message.role !== 'assistant') return undefined;
    this.answer(value, value.message);
    return usageOf(value);
  }

  /** The conversation with a result for every call, also for those that an interruption left without one. */
  messages(): Message[] {
    this.settleTurn();
    return this.history;
  }

  /** What the user sent and no recorded request has carried. */
  steering(): UserMessage[] {
    const sent = [...this.records.signals].filter(([key, value]) => key.startsWith(steeringKey) && isMessage(value)).map(([, value]) => value as UserMessage);
    return sent.slice(this.carried);
  }

  private answer(value: Record<string, unknown>, message: AssistantMessage): void {
    this.settleTurn();
    const steered = Array.isArray(value.steered) ? value.steered.filter(isMessage) : [];
    this.carried += steered.length - this.late;
    this.late = 0;
    this.push(...steered);
    if (isMessage(value.note)) this.push(value.note);
    if (message.parts.length > 0) this.push(message);
    this.calls = message.parts.filter((part) => part.type === 'tool_call').map(({ id, name, arguments: text }) => ({ id, name, arguments: text }));
  }

  private compact(value: Record<string, unknown>): void {
    if (!Array.isArray(value.messages)) return;
    this.settleTurn();
    this.history = value.messages.filter(isMessage);
  }

  private settleTurn(): void {
    for (const call of this.calls) this.push(this.resultMessage(call));
    this.calls = [];
  }

  private push(...messages: Message[]): void {
    this.history.push(...messages);
    this.said.push(...messages);
  }

  private resultMessage(call: ToolCall): Message {
    const message = toolMessage(call, this.resultOf(call));
    const shorter = { ...message, content: this.shortened[call.id] };
    return isMessage(shorter) ? shorter : message;
  }

  private resultOf(call: ToolCall): ToolResult {
    const result = this.records.steps.get(call.id);
    if (isToolResult(result)) return result;
    return this.records.claims.has(call.id) ? unknownResult(call) : cancelledResult(call);
  }
}

function usageOf({ usage, wasted }: Record<string, unknown>): Usage {
  const total = noUsage();
  for (const part of [usage, wasted]) if (isUsage(part)) addUsage(total, part);
  return total;
}
