/** The transport under a vendor's SDK: bounds waiting and size, and refuses what is no model's answer. SDKs bound neither. */
import { ModelError } from '../model-adapter.js';
import { networkFailure } from './network-failure.js';

export interface TransportLimits {
  /** Milliseconds until the response's headers are there. */
  headersMs: number;
  /** Milliseconds without a finished line (or a kilobyte) of the body. Keep-alive comments count as life. */
  idleMs: number;
  /** Milliseconds of the whole answer, however lively it comes. */
  totalMs: number;
  /** Most bytes of a body. */
  maxBodyBytes: number;
  /** Most bytes of one line of a body: an SDK holds a whole line in memory. */
  maxLineBytes: number;
}

export const transportLimits: TransportLimits = { headersMs: 180_000, idleMs: 240_000, totalMs: 3_600_000, maxBodyBytes: 64 * 2 ** 20, maxLineBytes: 8 * 2 ** 20 };

const MAX_ERROR_CHARS = 64 * 2 ** 10;
const PROGRESS_BYTES = 1024;

/**
 * A `fetch` for an SDK client. Rejects (or breaks the body) with a ModelError: `timeout`, `network`, `too_large`, `protocol`.
 * Messages here must not hold the words by which SDKs recognise time-outs of their own, or the error would be replaced.
 */
export function guardedFetch(provider: string, limits: TransportLimits): typeof fetch {
  return async (input, init) => {
    const watch = new Watch(provider, limits, init?.signal ?? undefined);
    try {
      // A redirect is not followed: fetch would carry a key in a header of its own to the other host.
      const response = await fetch(input, { ...init, ...wellFormed(init?.body), signal: watch.signal, redirect: 'manual' });
      return await guard(response, watch);
    } catch (error) {
      watch.stop();
      throw watch.failure ?? networkFailure(error, provider);
    }
  };
}

/** Half a surrogate pair (text cut at a length) makes JSON that services refuse whole: it becomes U+FFFD. JSON.stringify escapes only such halves. */
function wellFormed(body: unknown): { body?: string } {
  if (typeof body !== 'string' || !body.includes('\\ud')) return {};
  return { body: body.replaceAll(/(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, '$1\ufffd') };
}

async function guard(response: Response, watch: Watch): Promise<Response> {
  if (response.status >= 300 && response.status < 400) {
    watch.abort('protocol', `the address redirects to ${response.headers.get('location') ?? 'another one'}. If that is right, give it as the base URL.`, false);
    throw watch.failure as ModelError;
  }
  const type = (response.headers.get('content-type') ?? '').toLowerCase();
  if (response.ok && type.startsWith('text/html')) {
    watch.abort('protocol', `HTTP ${response.status} brought an HTML page, not a model's answer. Is the base URL right?`, false);
    throw watch.failure as ModelError;
  }
  if (response.body === null) return response;
  const body = watched(response.body, watch);
  const headers = new Headers(response.headers);
  headers.delete('content-encoding');
  headers.delete('content-length');
  if (!response.ok) return new Response(await errorText(body), { status: response.status, statusText: response.statusText, headers });
  return new Response(body, { status: response.status, statusText: response.statusText, headers });
}

function watched(body: ReadableStream<Uint8Array>, watch: Watch): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  watch.waitForBody();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          watch.reading = true;
          const { done, value } = await reader.read();
          watch.reading = false;
          if (done) {
            watch.stop();
            controller.close();
            return;
          }
          watch.saw(value);
          controller.enqueue(value);
        } catch (error) {
          watch.stop();
          throw watch.failure ?? networkFailure(error, watch.provider);
        }
      },
      async cancel(reason) {
        watch.stop();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/** The start of an error's body, in the one shape that SDKs read: `{error: …}`. Servers use several others. */
async function errorText(body: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_ERROR_CHARS) break;
  }
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === 'object' && value !== null && !('error' in value)) return JSON.stringify({ error: Array.isArray(value) ? (value[0] as unknown) : value });
  } catch {
    // Not JSON: shown as it is, or as "an HTML page".
  }
  return text.slice(0, MAX_ERROR_CHARS);
}

/** The clock and the counters of one exchange. */
class Watch {
  failure: ModelError | undefined;
  reading = false;
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout;
  private total = 0;
  private line = 0;
  private sinceProgress = 0;
  private readonly began = Date.now();
  private readonly forward = (): void => this.controller.abort(this.caller?.reason);

  constructor(
    readonly provider: string,
    private readonly limits: TransportLimits,
    private readonly caller: AbortSignal | undefined,
  ) {
    if (caller?.aborted === true) this.forward();
    caller?.addEventListener('abort', this.forward, { once: true });
    this.timer = setTimeout(() => this.abort('timeout', `no answer began within ${seconds(limits.headersMs)}`, true), limits.headersMs);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  waitForBody(): void {
    clearTimeout(this.timer);
    const { idleMs } = this.limits;
    this.timer = setTimeout(() => {
      // A reader that does not ask is slow itself; only the server's silence counts.
      if (this.reading) this.abort('timeout', `the answer stopped coming for ${seconds(idleMs)}`, true);
      else this.timer.refresh();
    }, idleMs);
  }

  saw(chunk: Uint8Array): void {
    const lineEnd = chunk.lastIndexOf(10);
    this.total += chunk.length;
    this.line = lineEnd < 0 ? this.line + chunk.length : chunk.length - lineEnd - 1;
    this.sinceProgress += chunk.length;
    if (this.total > this.limits.maxBodyBytes || this.line > this.limits.maxLineBytes) {
      this.abort('too_large', 'the answer is larger than an answer can be; it was cut off', false);
      throw this.failure as ModelError;
    }
    if (Date.now() - this.began > this.limits.totalMs) {
      this.abort('timeout', `the answer did not end within ${seconds(this.limits.totalMs)}; it was cut off`, false);
      throw this.failure as ModelError;
    }
    if (lineEnd < 0 && this.sinceProgress < PROGRESS_BYTES) return;
    this.sinceProgress = 0;
    this.timer.refresh();
  }

  abort(code: 'timeout' | 'too_large' | 'protocol', message: string, retryable: boolean): void {
    this.failure ??= new ModelError(code, `${this.provider}: ${message}`, { provider: this.provider, retryable });
    this.stop();
    this.controller.abort(this.failure);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.caller?.removeEventListener('abort', this.forward);
  }
}

const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;
