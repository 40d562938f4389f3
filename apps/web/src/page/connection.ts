/** The event stream of one session: read by fetch, taken up again after the last event that came, with growing pauses. */
import type { AgentEvent } from '@haft/agent';
import { type Api, ApiError } from './api.js';

export interface ConnectionHandlers {
  onEvent(event: AgentEvent): void;
  /** The server no longer has what was missed: read the conversation again. */
  onReset(): void;
  onState(state: 'connected' | 'disconnected'): void;
  /** The session is gone, or the token is no longer good. */
  onRefused(error: ApiError): void;
}

const longestPauseMs = 10_000;

export class Connection {
  readonly #stop = new AbortController();

  constructor(
    private readonly api: Api,
    private readonly id: string,
    private lastEvent: number,
    private readonly handlers: ConnectionHandlers,
  ) {
    void this.#keepReading();
  }

  close(): void {
    this.#stop.abort();
  }

  async #keepReading(): Promise<void> {
    for (let failures = 0; !this.#stop.signal.aborted; failures += 1) {
      try {
        const response = await this.api.events(this.id, this.lastEvent, this.#stop.signal);
        this.handlers.onState('connected');
        failures = 0;
        await this.#read(response);
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        if (error instanceof ApiError && error.status < 500) return this.handlers.onRefused(error);
      }
      if (this.#stop.signal.aborted) return;
      this.handlers.onState('disconnected');
      await new Promise((resolve) => setTimeout(resolve, Math.min(longestPauseMs, 500 * 2 ** failures) * (0.5 + Math.random() / 2)));
    }
  }

  async #read(response: Response): Promise<void> {
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    if (!reader) return;
    let buffer = '';
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      buffer += value;
      for (let end = buffer.indexOf('\n\n'); end >= 0; end = buffer.indexOf('\n\n')) {
        this.#take(buffer.slice(0, end));
        buffer = buffer.slice(end + 2);
      }
    }
  }

  #take(block: string): void {
    const field = (name: string): string | undefined => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1];
    const data = field('data');
    if (data === undefined) return;
    if (field('event') === 'reset') {
      this.handlers.onReset();
      return;
    }
    const number = Number(field('id'));
    if (number <= this.lastEvent) return;
    this.lastEvent = number;
    this.handlers.onEvent(JSON.parse(data) as AgentEvent);
  }
}
