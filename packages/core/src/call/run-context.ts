/** What a running tool sees of its call. The signal and the key are made only if the tool looks at them. */
import type { ToolFailure } from '../errors.js';
import type { Redactor } from '../permission/ports.js';
import type { ValueRedactor } from '../permission/redact.js';
import { type RedactionStream, createRedactionStream } from '../permission/redaction-stream.js';
import type { Class, Logger, Progress, ToolContext } from '../tool/tool.js';
import type { Hold, Holder } from './gate.js';
import { jsonData } from './json-data.js';
import type { CallContext, CallEvent, ToolCall, ToolResult } from './tool-call.js';

/** Marks the context of a call that a running tool made. */
export const parentRun: unique symbol = Symbol('parentRun');

export interface NestedContext extends CallContext {
  readonly [parentRun]?: RunContext;
}

/** Who carries out the calls that a running tool makes: the dispatcher. */
export interface NestedCaller {
  callFrom(parent: RunContext, tool: Class | string, args: object): Promise<ToolResult>;
  undoFrom(parent: RunContext, result: ToolResult): Promise<boolean>;
}

const none: readonly RunContext[] = [];

export class RunContext implements ToolContext, Holder {
  readonly callId: string;
  readonly sessionId: string;
  lastHold: Hold | undefined;
  waitsFor: Hold | undefined;
  /** Resolves when a tool that was stopped has come to its end after all. */
  lateEnd: Promise<void> | undefined;
  #controller: AbortController | undefined;
  #stopped: ToolFailure | undefined;
  #finished = false;
  #childCalls = 0;
  #output: RedactionStream | undefined;
  #children: Set<RunContext> | undefined;

  constructor(
    call: ToolCall,
    readonly outer: CallContext,
    readonly log: Logger,
    private readonly caller: NestedCaller,
    private readonly redactor?: Redactor,
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
    return (update) => {
      const shown = jsonData(update) as Progress;
      this.#emit({ type: 'progress', callId: this.callId, update: this.redactor ? redactedProgress(shown, this.redactor) : shown });
    };
  }

  get output(): (chunk: string) => void {
    return (chunk) => this.#send(this.redactor ? this.#redacted(String(chunk), this.redactor) : String(chunk));
  }

  get call(): (tool: Class | string, args: object) => Promise<ToolResult> {
    return (tool, args) => this.caller.callFrom(this, tool, args);
  }

  get undo(): (result: ToolResult) => Promise<boolean> {
    return (result) => this.caller.undoFrom(this, result);
  }

  /** The id of the next call that this one makes: the same in every attempt that makes its calls in the same order. */
  nextChildId(): string {
    this.#childCalls += 1;
    return `${this.callId}/${this.#childCalls}`;
  }

  get parent(): RunContext | undefined {
    return (this.outer as NestedContext)[parentRun];
  }

  get children(): Iterable<RunContext> {
    return this.#children ?? none;
  }

  /** Says that this run has begun, so that its parent's waits are known to include it. */
  begin(): void {
    const { parent } = this;
    if (parent) (parent.#children ??= new Set()).add(this);
  }

  get stopped(): boolean {
    return this.#stopped !== undefined;
  }

  /** Whether the tool has looked at its signal, and so may end by itself when it aborts. */
  get listens(): boolean {
    return this.#controller !== undefined;
  }

  /** Ends the call from outside: aborts its signal. */
  stop(reason: ToolFailure): void {
    this.#stopped = reason;
    this.#controller?.abort(reason);
  }

  /** The call has its result; what a tool still sends is dropped. */
  finish(): void {
    if (this.#output) this.#send(this.#output.end());
    this.#finished = true;
    const { parent } = this;
    if (parent) parent.#children?.delete(this);
  }

  /** A secret that is cut by the border of two chunks is still found, where the redactor can tell. */
  #redacted(chunk: string, redactor: Redactor): string {
    if (!isValueRedactor(redactor)) return redactor.redact(chunk);
    this.#output ??= createRedactionStream(redactor);
    return this.#output.write(chunk);
  }

  #send(chunk: string): void {
    if (chunk !== '') this.#emit({ type: 'output', callId: this.callId, chunk });
  }

  #emit(event: CallEvent): void {
    if (this.#finished) return;
    try {
      this.outer.onEvent?.(event);
    } catch (error) {
      this.log.error('a listener of call events failed', { callId: this.callId, error: error instanceof Error ? error.stack : String(error) });
    }
  }
}

function redactedProgress(update: Progress, redactor: Redactor): Progress {
  if (typeof update === 'string') return redactor.redact(update);
  return typeof update.note === 'string' ? { ...update, note: redactor.redact(update.note) } : update;
}

function isValueRedactor(redactor: Redactor): redactor is ValueRedactor {
  return 'beginsSecret' in redactor && 'find' in redactor;
}
