/** What the composition root hands to the server: where sessions live, how an agent is made for one, and the tools' one door. */
import type { Agent, AgentSession, SessionStore } from '@haft/agent';
import type { Dispatcher, Logger, ServiceProvider, ToolDefinition } from '@haft/core';

export interface WebHost {
  readonly tools: readonly ToolDefinition[];
  readonly dispatcher: Dispatcher;
  readonly sessions: SessionStore;
  /** The folder that sessions are about. */
  readonly root: string;
  /** `provider:model`, for the page. */
  readonly model: string;
  /** An agent in this session whose calls go through `dispatcher`, and which asks by events. */
  openAgent(session: AgentSession, dispatcher: Dispatcher): Promise<Agent>;
  /** Services for calls outside any session. */
  openServices(sessionId: string): ServiceProvider & { dispose(): Promise<void> | void };
  readonly log?: Logger;
}

export interface WebLimits {
  /** Milliseconds that a run goes on with nobody listening before it is stopped. Default 30,000. */
  graceMs: number;
  /** The same for a message sent with `detach`. Default 600,000. */
  detachedMs: number;
  /** Bytes of a request's body. Default 1 MiB; messages with images 8 MiB. */
  bodyBytes: number;
  messageBytes: number;
  /** Milliseconds after which a session that nobody uses is closed, so that other processes can go on with it. Default 60,000. */
  idleMs: number;
  /** Sessions that are open at once. Default 256. */
  maxSessions: number;
  /** Unsent bytes of one listener before it is cut off. Default 1 MiB. */
  listenerBytes: number;
  /** Events of a session that can be sent again after a reconnect. Default 5,000. */
  replayEvents: number;
  /** Milliseconds between comments on a silent stream. Default 15,000. */
  heartbeatMs: number;
}

export const defaultLimits: WebLimits = {
  graceMs: 30_000,
  detachedMs: 600_000,
  bodyBytes: 1024 * 1024,
  messageBytes: 8 * 1024 * 1024,
  idleMs: 60_000,
  maxSessions: 256,
  listenerBytes: 1024 * 1024,
  replayEvents: 5_000,
  heartbeatMs: 15_000,
};
