/** One reader's server-sent events: bounded, so that a slow reader costs no more than its limit, and cut off when it falls behind. */
import type { ServerResponse } from 'node:http';
import type { NumberedEvent } from './event-ring.js';
import { securityHeaders } from './security-headers.js';

export interface EventStreamOptions {
  /** Unsent bytes after which the reader is cut off. */
  limitBytes: number;
  heartbeatMs: number;
  /** More headers of the answer. */
  headers?: Readonly<Record<string, string>>;
  /** Called once, when the stream ended for whatever reason. */
  onEnd: () => void;
}

/** Writes to the socket itself: only there is it known how much a reader has not taken. */
export class EventStream {
  #isOpen = true;
  readonly #heartbeat: NodeJS.Timeout;

  constructor(
    private readonly response: ServerResponse,
    private readonly options: EventStreamOptions,
  ) {
    response.once('close', () => this.#end());
    response.writeHead(200, { ...securityHeaders, ...eventStreamHeaders, ...options.headers });
    response.flushHeaders();
    this.#heartbeat = setInterval(() => this.write(': still here\n\n'), options.heartbeatMs);
    this.#heartbeat.unref();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  send(event: NumberedEvent): void {
    this.write(`id: ${event.number}\nevent: ${event.type}\ndata: ${event.data}\n\n`);
  }

  /** A message without a number: it is not part of what can be replayed. */
  notice(type: string, payload: object): void {
    this.write(`event: ${type}\ndata: ${JSON.stringify(payload)}\n\n`);
  }

  write(text: string): void {
    if (!this.#isOpen) return;
    this.response.write(text);
    if (this.response.writableLength > this.options.limitBytes) this.response.destroy();
  }

  close(): void {
    this.#end();
    this.response.end();
  }

  #end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    clearInterval(this.#heartbeat);
    this.options.onEnd();
  }
}

const eventStreamHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};
