// The calls that run now, for the status line: what, how long, and what was heard from them last.
import type { AgentEvent } from '@haft/agent';
import type { Progress } from '@haft/core';
import { sanitiseLine } from '../output/sanitise.js';
import { callTitle, formatDuration } from '../output/tool-line.js';

interface RunningCall {
  title: string;
  startedAt: number;
  last: string;
  /** The end of what it printed. */
  output: string;
  asking: boolean;
  /** A person has seen what it does. */
  asked: boolean;
}

/** Characters of a call's output that can be shown later. */
const keptOutput = 4_000;

export class RunningCalls {
  readonly #calls = new Map<string, RunningCall>();

  get size(): number {
    return this.#calls.size;
  }

  /** Somebody is being asked; the screen is theirs. */
  get asking(): boolean {
    return [...this.#calls.values()].some((call) => call.asking);
  }

  event(event: AgentEvent): void {
    if (event.type === 'tool_call_started') {
      this.#calls.set(event.callId, { title: callTitle(event.tool, event.arguments), startedAt: performance.now(), last: '', output: '', asking: false, asked: false });
      return;
    }
    const call = 'callId' in event ? this.#calls.get(event.callId) : undefined;
    if (call === undefined) return;
    if (event.type === 'tool_call_approval') {
      call.asking = event.answer === undefined;
      call.asked = true;
    }
    if (event.type === 'tool_call_progress') call.last = sanitiseLine(progressText(event.update));
    if (event.type === 'tool_call_output') {
      call.last = sanitiseLine(lastLine(event.chunk)) || call.last;
      call.output = (call.output + event.chunk).slice(-keptOutput);
    }
  }

  /** What the running calls have printed so far, or the end of it. */
  printed(): string[] {
    return [...this.#calls.values()].map(({ output }) => output).filter((output) => output !== '');
  }

  /** Takes the call out. */
  finish(callId: string): Pick<RunningCall, 'title' | 'asked'> | undefined {
    const call = this.#calls.get(callId);
    this.#calls.delete(callId);
    return call;
  }

  describe(): string {
    const now = performance.now();
    return [...this.#calls.values()]
      .map(({ title, startedAt, last }) => [title, formatDuration(now - startedAt), last].filter((part) => part !== '').join(' · '))
      .join('   ');
  }
}

function progressText(update: Progress): string {
  if (typeof update === 'string') return update;
  const done = update.total === undefined ? `${update.done}` : `${update.done}/${update.total}`;
  return update.note === undefined ? done : `${done} ${update.note}`;
}

function lastLine(chunk: string): string {
  return chunk.trimEnd().split('\n').at(-1) ?? '';
}
