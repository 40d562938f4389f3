/** What a run has come to so far: history, calls, usage. Everything here follows from recorded steps, so a replay rebuilds it. */
import type { ToolCall, ToolResult } from '@haft/core';
import type { AssistantMessage, Usage } from '../messages.js';
import type { SessionScope } from '../session-scope.js';
import { type Emit, emitterOf } from './event-emitter.js';
import { repairHistory } from './repair-history.js';
import { toolMessage } from './results.js';
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
  /** Messages up to here are known to be paired. */
  private whole = 0;

  constructor(
    readonly scope: SessionScope,
    readonly job: RunJob,
  ) {
    this.emit = emitterOf(scope);
  }

  /** US dollars so far. */
  get cost(): number | undefined {
    return this.job.costOf(this.usage);
  }

  addAnswer(message: AssistantMessage): void {
    if (message.parts.length === 0) return;
    this.text = textOf(message) || this.text;
    this.job.history.push(message);
  }

  addResult(call: ToolCall, result: ToolResult): void {
    this.toolCalls.push({ call, result });
    this.job.history.push(toolMessage(call, result));
  }

  /** Runs before every request: looks only at what is new, and mends in place what an interruption left behind. */
  pairHistory(turn: number): void {
    const { history } = this.job;
    const { messages, repairs } = repairHistory(history, this.whole);
    if (repairs.length > 0) {
      history.splice(0, history.length, ...messages);
      this.emit(`t${turn}/repaired`, { type: 'history_repaired', repairs });
    }
    this.whole = history.length;
  }

  /** After the history was replaced by a shorter one. */
  recheckHistory(): void {
    this.whole = 0;
  }
}

export function textOf(message: AssistantMessage): string {
  let text = '';
  for (const part of message.parts) if (part.type === 'text') text += part.text;
  return text;
}
