/** The neutral conversation: what is stored, compacted and handed to adapters. Nothing vendor-shaped but opaque data that must go back. */
import type { ContentPart, Json, ToolStatus } from '@haft/core';

/** Data of one provider that must go back untouched (reasoning signatures, encrypted reasoning). */
export interface OpaqueData {
  provider: string;
  data: Json;
}

export type AssistantPart =
  | { type: 'text'; text: string; opaque?: OpaqueData }
  | { type: 'reasoning'; text: string; opaque?: OpaqueData }
  | ToolCallPart;

export interface ToolCallPart {
  type: 'tool_call';
  /** Ours (`run:tN.i`), unique in the session. */
  id: string;
  /** The registered name when known, else as the model wrote it. */
  name: string;
  /** Raw JSON text as the model wrote it; `{}` when it wrote nothing. */
  arguments: string;
  /** The provider's own id, kept for servers that check it. */
  providerId?: string;
  opaque?: OpaqueData;
}

export interface UserMessage {
  role: 'user';
  content: ContentPart[];
  /** Set on messages that the agent made itself (a steering note, a summary). */
  origin?: 'user' | 'steering' | 'summary' | 'note';
}

export interface AssistantMessage {
  role: 'assistant';
  parts: AssistantPart[];
  /** `provider:model` that wrote it. */
  model?: string;
  finish?: FinishReason;
}

export interface ToolMessage {
  role: 'tool';
  callId: string;
  tool: string;
  status: ToolStatus;
  code?: string;
  content: ContentPart[];
}

export type Message = UserMessage | AssistantMessage | ToolMessage;

export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'refusal' | 'content_filter' | 'pause' | 'error';

/** Tokens. */
export interface Usage {
  input: number;
  output: number;
  cacheRead?: number;
  cacheWrite?: number;
  reasoning?: number;
}
