/** What a running tool sees of its call. The signal and the key are made only if the tool looks at them. */
import type { ToolFailure } from '../errors.js';
import type { Class, Logger, Progress, ToolContext } from '../tool/tool.js';
import type { CallContext, CallEvent, ToolCall, ToolResult } from './tool-call.js';

/** Who carries out the calls that a running tool makes: the dispatcher. */
export interface NestedCaller {
  callFrom(parent: RunContext, tool: Class | string, args: object): Promise<ToolResult>;
}

export class RunContext implements ToolContext {
  readonly callId: string;
  readonly sessionId: string;
  #controller: AbortController | undefined;
  #stopped: ToolFailure | undefined;
  #finished = false;
  #children = 0;

  constructor(
    call: ToolCall,
    readonly outer: CallContext,
    readonly log: Logger,
    private readonly caller: NestedCaller,
  ) {
    this.callId = call.id;
    this.sessionId = outer.sessionId;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#stopped) this.#controller.abort(this.#stopped);
    }
    return this.#controller.signal;
  }

  get idempotencyKey(): string {
    return this.outer.idempotencyKey ?? `${this.sessionId}/${this.callId}`;
  }

  /** These are getters so that a tool may take them apart: `execute({ progress, output })`. */
  get progress(): (update: Progress) => void {
    return (update) => this.#emit({ type: 'progress', callId: this.callId, update });
  }

  get output(): (chunk: string) => void {
    return (chunk) => this.#emit({ type: 'output', callId: this.callId, chunk: String(chunk) });
  }

  get call(): (tool: Class | string, args: object) => Promise<ToolResult> {
    return (tool, args) => this.caller.callFrom(this, tool, args);
  }

  /** The id of the next call that this one makes: the same in every attempt that makes its calls in the same order. */
  nextChildId(): string {
    this.#children += 1;
    return `${this.callId}/${this.#children}`;
  }

  get stopped(): boolean {
    return this.#stopped !== undefined;
  }

  /** Ends the call from outside: aborts its signal, and lets no later event through. */
  stop(reason: ToolFailure): void {
    this.#stopped = reason;
    this.#controller?.abort(reason);
    this.#finished = true;
  }

  /** The call has its result; what a tool still sends is dropped. */
  finish(): void {
    this.#finished = true;
  }

  #emit(event: CallEvent): void {
    if (!this.#finished) this.outer.onEvent?.(event);
  }
}
