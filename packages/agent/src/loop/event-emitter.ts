/** Gives events their ids and their run. Ids come from what happened, not from a counter, so that a resumed run says the same ones. */
import type { CallEvent } from '@haft/core';
import type { AgentEventBody } from '../events.js';
import type { SessionScope } from '../session-scope.js';

export type Emit = (key: string, body: AgentEventBody) => void;

/** `key` is unique in the run, e.g. `t1/started`. */
export function emitterOf(scope: SessionScope): Emit {
  const { runId, sessionId } = scope;
  return (key, body) => scope.emit({ id: `${runId}/${key}`, runId, sessionId, at: timestamp(), ...body });
}

let stampedMs = 0;
let stamp = '';

/** The time as ISO 8601. Many events share a millisecond, and the text costs more than all the rest of an event. */
export function timestamp(): string {
  const now = Date.now();
  if (now !== stampedMs) {
    stampedMs = now;
    stamp = new Date(now).toISOString();
  }
  return stamp;
}

/** Passes on what a running call says of itself. `retrying` of a tool is a progress note: the run's own `retrying` speaks of the model. */
export function callEventBody(event: CallEvent): AgentEventBody {
  if (event.type === 'output') return { type: 'tool_call_output', callId: event.callId, chunk: event.chunk };
  if (event.type === 'progress') return { type: 'tool_call_progress', callId: event.callId, update: event.update };
  return { type: 'tool_call_progress', callId: event.callId, update: `attempt ${event.attempt} failed (${event.reason}), next in ${event.delayMs} ms` };
}
