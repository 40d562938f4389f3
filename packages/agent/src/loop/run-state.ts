/** What a run has come to so far: history, calls, usage. Everything here follows from recorded steps, so a replay rebuilds it. */
import { replaceMessages } from '../message-list.js';
import type { ContentPart, ToolCall, ToolResult } from '@haft/core';
import type { AssistantMessage, ToolMessage, Usage } from '../messages.js';
import { ContextGauge } from '../context/context-gauge.js';
import type { SessionScope } from '../session-scope.js';
import { type Emit, emitterOf } from './event-emitter.js';
import { repairHistory } from './repair-history.js';
import type { RunJob } from './run-job.js';
import { noUsage } from './usage.js';

export class RunState {
  readonly emit: Emit;
  readonly usage: Usage = noUsage();
  readonly toolCalls: { call: ToolCall; result: ToolResult }[] = [];
  /** Turns that the model has answered. */
  turns = 0;
  /** What the model said last. */
  text = '';
  private readonly gauge: ContextGauge;
  /** Messages up to here are known to be paired. */
  private whole = 0;

  constructor(
    readonly scope: SessionScope,
    readonly job: RunJob,
  ) {
    this.emit = emitterOf(scope);
    this.gauge = new ContextGauge(job.system);
  }

  /** US dollars so far. */
  get cost(): number | undefined {
    return this.job.costOf(this.usage);
  }

  addAnswer(message: AssistantMessage, usage: Usage): void {
    this.gauge.measured(usage, this.job.history.length);
    if (message.parts.length === 0) return;
    this.text = textOf(message) || this.text;
    this.job.history.push(message);
  }

  /** Appends the results of a turn, those that are too large together as `shortened` says. */
  addResults(results: readonly { call: ToolCall; result: ToolResult; message: ToolMessage }[], shortened: Record<string, ContentPart[]> | undefined): void {
    for (const { call, result, message } of results) {
      this.toolCalls.push({ call, result });
      this.job.noteResult(result);
      const content = shortened?.[call.id];
      this.job.history.push(content === undefined ? message : { ...message, content });
    }
  }

  /** Runs before every request: looks only at what is new, and mends in place what an interruption left behind. */
  pairHistory(turn: number): void {
    const { history } = this.job;
    const { messages, repairs } = repairHistory(history, this.whole);
    if (repairs.length > 0) {
      replaceMessages(history, messages);
      this.emit(`t${turn}/repaired`, { type: 'history_repaired', repairs });
    }
    this.whole = history.length;
  }

  /** Tokens of the next request. */
  contextTokens(): number {
    return this.gauge.tokens(this.job.history, this.job.tools());
  }

  /** After the history was replaced by a shorter one. */
  historyReplaced(): void {
    this.whole = 0;
    this.gauge.reset();
  }
}

export function textOf(message: AssistantMessage): string {
  let text = '';
  for (const part of message.parts) if (part.type === 'text') text += part.text;
  return text;
}
