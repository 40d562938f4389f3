/** What an agent needs of the conversation it works in; kept in memory here, in a file by `SessionStore`. */
import type { RunStatus } from '../events.js';
import type { AgentEngine } from '../engine/engine.js';
import { InProcessEngine } from '../engine/in-process-engine.js';
import { newId } from '../ids.js';
import type { Message, Usage, UserMessage } from '../messages.js';

export interface RunBegin {
  runId: string;
  input: UserMessage;
  /** `provider:model`. */
  model: string;
}

export interface RunEnd {
  runId: string;
  status: RunStatus;
  turns: number;
  usage: Usage;
  cost?: number;
  error?: { code: string; message: string };
  /** The provider refused the very request: the prompt is kept on record but is no part of the conversation. */
  withdrawn?: true;
  /** The provider refused the request that carried the last results: their images are kept on record but are no part of the conversation. */
  imagesRefused?: true;
}

/** A run whose end is not on record: its process died. */
export interface UnfinishedRun extends RunBegin {
  /** Messages before the run; the loop rebuilds the rest from recorded steps. */
  history: Message[];
  /** Messages sent while it ran that no request has carried yet. */
  steering: UserMessage[];
}

/** Begins the keys of signals that are steering messages. */
export const steeringKey = 'steering/';

export interface AgentSession {
  readonly id: string;
  /** The conversation. The loop appends; nobody else writes. */
  readonly messages: Message[];
  /** Records the steps of this session's runs. */
  readonly engine: AgentEngine;
  readonly unfinished?: UnfinishedRun;
  /** Resolves when the input is safe. Closes an unfinished run first. */
  beginRun(run: RunBegin): Promise<void>;
  endRun(end: RunEnd): Promise<void>;
  close(): Promise<void>;
}

/** A conversation that lives as long as its process. */
export function memorySession(options: { id?: string; messages?: Message[]; engine?: AgentEngine } = {}): AgentSession {
  return {
    id: options.id ?? newId('s'),
    messages: options.messages ?? [],
    engine: options.engine ?? new InProcessEngine(),
    beginRun: () => Promise.resolve(),
    endRun: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
