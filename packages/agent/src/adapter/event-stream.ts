/**
 * Server-sent events out of a response's bytes. Vendors' SDKs read them with several promises an event; here all events of one chunk come
 * together, and what servers do beyond the standard is borne.
 */
import { AnsweredError } from './model-failure.js';

/** How long the end of a body is waited for after its last event: then the connection can be used again. Milliseconds. */
const DRAIN_MS = 1_000;

/**
 * The JSON objects of the events, those of one chunk of bytes together. Ends at `[DONE]` or with the body; an event that the body cuts off is
 * dropped. A body of plain JSON (some servers answer so when a stream is asked for) is one event.
 * Rejects with a SyntaxError for an event that is no JSON, with an AnsweredError for one that is named `error` and says nothing else of itself.
 */
export async function* eventBatches<T extends object>(response: Response): AsyncGenerator<readonly T[], void> {
  if ((response.headers.get('content-type') ?? '').toLowerCase().startsWith('application/json')) {
    const value: unknown = await response.json();
    if (typeof value === 'object' && value !== null) yield [value as T];
    return;
  }
  if (response.body === null) return;
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const events = new EventReader<T>();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const batch = events.feed(value);
      if (batch.length > 0) yield batch;
      if (events.done) return;
    }
  } finally {
    void (events.done ? drain(reader) : reader.cancel().catch(ignore));
  }
}

/** Reads what follows the last event, so that the connection is free for the next request; not for long. */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const timer = setTimeout(() => void reader.cancel().catch(ignore), DRAIN_MS);
  try {
    while (!(await reader.read()).done);
  } catch {
    // The answer is whole; how the connection ends says nothing of it.
  } finally {
    clearTimeout(timer);
  }
}

function ignore(): void {
  // A body that is left cannot fail any more.
}

/** Lines to events, as the standard has it: `data` and `event` fields, a blank line at the end; lines end in LF, CRLF or CR. */
class EventReader<T extends object> {
  done = false;
  private readonly decoder = new TextDecoder();
  /** The line that has begun. It grows piece by piece and is looked at once, when its end is there. */
  private rest = '';
  private endedInCr = false;
  private name = '';
  private data = '';

  feed(chunk: Uint8Array): T[] {
    const batch: T[] = [];
    const piece = this.lineFeeds(this.decoder.decode(chunk, { stream: true }));
    if (!piece.includes('\n')) {
      this.rest += piece;
      return batch;
    }
    const text = this.rest + piece;
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0 && !this.done; end = text.indexOf('\n', start)) {
      this.line(text.slice(start, end), batch);
      start = end + 1;
    }
    this.rest = text.slice(start);
    return batch;
  }

  /** The text with LF for every line end; the LF of a CRLF may come with the next piece. */
  private lineFeeds(text: string): string {
    const piece = this.endedInCr && text.startsWith('\n') ? text.slice(1) : text;
    if (text !== '') this.endedInCr = text.endsWith('\r');
    return piece.includes('\r') ? piece.replaceAll(/\r\n?/g, '\n') : piece;
  }

  private line(line: string, batch: T[]): void {
    if (line === '') this.dispatch(batch);
    else if (line.startsWith('data:')) this.data = this.data === '' ? valueOf(line, 5) : `${this.data}\n${valueOf(line, 5)}`;
    else if (line.startsWith('event:')) this.name = valueOf(line, 6);
  }

  private dispatch(batch: T[]): void {
    const { name, data } = this;
    this.name = '';
    this.data = '';
    if (data === '') return;
    if (data.startsWith('[DONE]')) {
      this.done = true;
      return;
    }
    const value: unknown = name === 'error' ? errorOf(data) : JSON.parse(data);
    if (typeof value === 'object' && value !== null) batch.push(value as T);
  }
}

function valueOf(line: string, start: number): string {
  return line.slice(line[start] === ' ' ? start + 1 : start);
}

/** The object of an event named `error`, which some servers send as plain text or without saying in it that it is one. */
function errorOf(data: string): object {
  let value: unknown = data;
  try {
    value = JSON.parse(data);
  } catch {
    // Plain text is all that it says.
  }
  if (typeof value === 'object' && value !== null && ('error' in value || 'type' in value)) return value;
  throw new AnsweredError(value);
}
