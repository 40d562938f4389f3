/** The port to a model. One streaming method; an adapter never retries (the loop owns retries) and never runs a tool. */
import type { JsonSchema, ToolDefinition } from '@haft/core';
import type { AssistantMessage, FinishReason, Message, Usage } from './messages.js';

export type ToolChoice = 'auto' | 'none' | 'required' | { tool: string };

export interface ModelRequest {
  system?: string;
  messages: readonly Message[];
  tools: readonly ToolDefinition[];
  toolChoice?: ToolChoice;
  maxOutputTokens?: number;
  temperature?: number;
  /** Ask for a final answer of this shape, where the provider can. */
  output?: { name: string; schema: JsonSchema };
  sessionId?: string;
}

export interface ModelTurn {
  /** Tool-call ids in it are the provider's or minted; the loop replaces them by its own and keeps them as `providerId`. */
  message: AssistantMessage;
  finish: FinishReason;
  usage: Usage;
}

export type ModelEvent =
  | { type: 'text_delta'; text: string }
  | { type: 'reasoning_delta'; text: string }
  /** Last, exactly once. A stream that ends without it failed. */
  | { type: 'turn'; turn: ModelTurn };

export interface ModelAdapter {
  /** E.g. `openai`, `anthropic`, `offline`. */
  readonly provider: string;
  readonly model: string;
  /** Tokens that the model can read, when known. */
  readonly contextWindow?: number;
  /** Rejects with a ModelError. Ends early when `signal` aborts. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

export type ModelErrorCode =
  | 'no_credentials'
  | 'invalid_credentials'
  | 'model_not_found'
  | 'invalid_request'
  | 'context_too_long'
  | 'rate_limited'
  | 'quota_exceeded'
  | 'overloaded'
  | 'server_error'
  | 'network'
  | 'timeout'
  | 'protocol'
  | 'too_large'
  | 'cancelled';

export interface ModelErrorOptions {
  provider: string;
  retryable: boolean;
  status?: number;
  retryAfterMs?: number;
  requestId?: string;
  cause?: unknown;
}

/** A coded failure of a provider: plain message, no key, no HTML body. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly provider: string;
  readonly retryable: boolean;
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly requestId?: string;

  constructor(
    readonly code: ModelErrorCode,
    message: string,
    options: ModelErrorOptions,
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.provider = options.provider;
    this.retryable = options.retryable;
    if (options.status !== undefined) this.status = options.status;
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs;
    if (options.requestId !== undefined) this.requestId = options.requestId;
  }
}

/** Whether an adapter said what went wrong; also true for the class of another copy of this package. */
export function isModelError(error: unknown): error is ModelError {
  return error instanceof ModelError || (error instanceof Error && error.name === 'ModelError' && 'code' in error && 'retryable' in error);
}
