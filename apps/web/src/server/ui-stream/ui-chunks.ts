/**
 * Events of a run → chunks of the AI SDK's UI message stream, version 1 (https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol), so that
 * `useChat` can be connected as it is. Tools are sent as dynamic ones: the client need not know them.
 */
import type { AgentEvent } from '@haft/agent';
import type { ToolResult } from '@haft/core';

export type UiChunk = { type: string } & Record<string, unknown>;

type OpenPart = { kind: 'text' | 'reasoning'; id: string };

export class UiChunks {
  #open: OpenPart | undefined;
  #isInStep = false;
  readonly #announced = new Set<string>();

  /** `known`: calls that the client has from an earlier stream of the same answer. */
  constructor(known: Iterable<string> = []) {
    for (const callId of known) this.#announced.add(callId);
  }

  of(event: AgentEvent): UiChunk[] {
    switch (event.type) {
      case 'turn_started':
        this.#isInStep = true;
        return [{ type: 'start-step' }];
      case 'text_delta':
        return this.#delta('text', event.id, event.text);
      case 'reasoning_delta':
        return this.#delta('reasoning', event.id, event.text);
      case 'tool_call_started':
        return [...this.#close(), ...this.#announce(event.callId, event.tool, event.arguments)];
      case 'tool_call_approval':
        if (event.answer) return [];
        return [...this.#close(), ...this.#announce(event.callId, event.request.tool, event.request.arguments), { type: 'tool-approval-request', approvalId: approvalId(event.callId, event.request.hash), toolCallId: event.callId }];
      case 'tool_call_output':
        return [{ type: 'data-tool-output', data: { toolCallId: event.callId, chunk: event.chunk }, transient: true }];
      case 'tool_call_progress':
        return [{ type: 'data-tool-progress', data: { toolCallId: event.callId, update: event.update }, transient: true }];
      case 'tool_call_finished':
        return [...this.#announce(event.callId, event.tool, {}), resultChunk(event.callId, event.result)];
      case 'turn_finished':
        return this.endStep();
      case 'run_finished':
        return [...this.endStep(), ...endOf(event)];
      case 'retrying':
        // What was shown of the failed attempt stays in its own part; the next attempt opens a new one.
        return [...this.#close(), { type: 'data-retrying', data: { attempt: event.attempt, delayMs: event.delayMs, message: event.message }, transient: true }];
      case 'run_started':
      case 'history_repaired':
      case 'context_compacted':
        return [];
    }
  }

  /** The chunks that close what is open: at the end of a turn, or when the stream pauses for an answer. */
  endStep(): UiChunk[] {
    if (!this.#isInStep) return this.#close();
    this.#isInStep = false;
    return [...this.#close(), { type: 'finish-step' }];
  }

  #delta(kind: OpenPart['kind'], id: string, delta: string): UiChunk[] {
    const chunks: UiChunk[] = [];
    if (this.#open?.kind !== kind) {
      chunks.push(...this.#close(), { type: `${kind}-start`, id });
      this.#open = { kind, id };
    }
    return [...chunks, { type: `${kind}-delta`, id: this.#open?.id ?? id, delta }];
  }

  #close(): UiChunk[] {
    const open = this.#open;
    this.#open = undefined;
    return open ? [{ type: `${open.kind}-end`, id: open.id }] : [];
  }

  #announce(toolCallId: string, toolName: string, input: unknown): UiChunk[] {
    if (this.#announced.has(toolCallId)) return [];
    this.#announced.add(toolCallId);
    return [{ type: 'tool-input-available', toolCallId, toolName, input, dynamic: true }];
  }
}

/** The hash travels with the id: an answer is good for what was shown only. */
export function approvalId(callId: string, hash: string): string {
  return `${hash}.${callId}`;
}

export function fromApprovalId(id: string): { hash: string; callId: string } | undefined {
  const match = /^([0-9a-f]{64})\.(.+)$/.exec(id);
  return match ? { hash: String(match[1]), callId: String(match[2]) } : undefined;
}

function resultChunk(toolCallId: string, result: ToolResult): UiChunk {
  if (result.success) return { type: 'tool-output-available', toolCallId, output: result.content, dynamic: true };
  if (result.code === 'approval_declined') return { type: 'tool-output-denied', toolCallId };
  return { type: 'tool-output-error', toolCallId, errorText: `${result.code ?? result.status}: ${result.error ?? ''}`, dynamic: true };
}

function endOf({ status, error, usage, turns }: Extract<AgentEvent, { type: 'run_finished' }>): UiChunk[] {
  if (status === 'cancelled') return [{ type: 'abort' }];
  if (status === 'failed') return [{ type: 'error', errorText: error?.message ?? 'The run failed.' }];
  const finishReason = status === 'completed' ? 'stop' : 'length';
  return [{ type: 'finish', finishReason, messageMetadata: { usage, turns, ...(error === undefined ? {} : { error }) } }];
}
