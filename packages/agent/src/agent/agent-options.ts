/** What an agent is made of. */
import type { Approver, Class, Dispatcher, InjectedValues, Logger, ServiceProvider, ToolRegistry } from '@haft/core';
import type { PriceTable } from '../accounting/prices.js';
import type { AgentEngine } from '../engine/engine.js';
import type { RetryPolicy } from '../loop/retry-policy.js';
import type { RunLimits } from '../loop/run-job.js';
import type { UserMessage } from '../messages.js';
import type { ModelAdapter } from '../model-adapter.js';
import type { AgentSession } from '../session/agent-session.js';

/** What the agent reads of a PluginHost. */
export interface AgentHost {
  readonly registry: ToolRegistry;
  openSession(sessionId: string): ServiceProvider & { dispose(): Promise<void> | void };
}

export interface AgentOptions {
  model: ModelAdapter;
  /** The plugins' tools and services. Without it give `registry` and, if tools have services, `services`. */
  host?: AgentHost;
  registry?: ToolRegistry;
  services?: ServiceProvider;
  /**
   * The one door to the tools. Default: one over the registry, with core's default policy, no audit log, and the `Workspace` of the
   * services, if there is one, for the paths of calls.
   */
  dispatcher?: Dispatcher;
  /** Names of the tools that may be used (not classes: see `callWithTools`); absent: all that are not deferred. */
  tools?: readonly string[];
  system?: string;
  limits?: RunLimits;
  retry?: Partial<RetryPolicy>;
  /** Answers what has to be asked. Without it, `agent.answer` does, unless `canAsk` is false. */
  approver?: Approver;
  /** False: nobody can be asked, such calls are refused with `approval_unavailable`. Default true. */
  canAsk?: boolean;
  /** Milliseconds after which an unanswered question counts as "no". Default: never. */
  approvalTimeoutMs?: number;
  /** The conversation to work in. Default: a new one in memory. */
  session?: AgentSession;
  /** Where runs live. Default: the session's own. */
  engine?: AgentEngine;
  user?: string;
  injected?: InjectedValues;
  log?: Logger;
  /** Goes before the built-in list prices. */
  prices?: PriceTable;
  maxOutputTokens?: number;
  temperature?: number;
}

export type AgentInput = string | UserMessage;

export interface RunOptions<Output extends object = object> {
  signal?: AbortSignal;
  /** A class with `@Param` fields: the final answer must be of this shape, and is `result.output`, an instance. */
  output?: Class<Output>;
  /** Turn older messages into notes before the first request, also where there is room left. Without effect on a conversation that is short. */
  compact?: boolean;
}
