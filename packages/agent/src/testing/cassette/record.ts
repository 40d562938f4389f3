/** Records a conversation: an adapter is pointed at the recorder, which passes everything to the provider and keeps what went through. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Cassette, type Interaction, headersToKeep, saveCassette } from './cassette.js';
import { jsonOrText, listenOnLoopback } from '../loopback.js';
import { keysOf, removeSecrets } from './remove-secrets.js';

export interface RecorderOptions {
  /** The provider's base URL, as it would be given to the adapter: `https://api.openai.com/v1`, `https://api.anthropic.com`. */
  target: string;
  /** Values that must not be kept, beside the keys that are sent and what looks like one. */
  secrets?: readonly string[];
}

export interface Recorder {
  /** The base URL for the adapter. */
  url: string;
  /** What was recorded so far, secrets removed. */
  cassette(): Cassette;
  save(file: string): Promise<void>;
  close(): Promise<void>;
}

/** Starts a recorder on a free port of 127.0.0.1. Answers are passed on as they come, byte for byte. */
export async function startRecorder(options: RecorderOptions): Promise<Recorder> {
  const interactions: { path: string; asked: string; status: number; headers: Record<string, string>; answered: string }[] = [];
  const secrets = new Set(options.secrets ?? []);
  const { url, close } = await listenOnLoopback(pass);
  const cassette = (): Cassette => ({
    version: 1,
    interactions: interactions.map(({ path, asked, status, headers, answered }) => ({ request: { path, body: clean(asked) }, response: { status, headers, ...kept(clean(answered)) } })),
  });
  return { url, cassette, close, save: (file) => saveCassette(file, cassette()) };

  function clean(text: string): unknown {
    return jsonOrText(removeSecrets(text, [...secrets]));
  }

  async function pass(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
    for (const key of keysOf(request.headers)) secrets.add(key);
    const path = request.url ?? '/';
    const answer = await fetch(`${options.target.replace(/\/$/, '')}${path}`, { method: request.method ?? 'POST', headers: forwarded(request), body });
    const headers = headersToKeep(answer.headers);
    response.writeHead(answer.status, headers);
    const entry = { path, asked: body, status: answer.status, headers, answered: '' };
    interactions.push(entry);
    const decoder = new TextDecoder();
    for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
      entry.answered += decoder.decode(chunk, { stream: true });
      response.write(chunk);
    }
    response.end();
  }
}

function kept(answer: unknown): Pick<Interaction['response'], 'body' | 'lines'> {
  return typeof answer === 'string' ? { lines: answer.split('\n') } : { body: answer };
}

const hopByHop = new Set(['host', 'connection', 'content-length', 'accept-encoding', 'transfer-encoding']);

function forwarded(request: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) if (typeof value === 'string' && !hopByHop.has(name)) headers.set(name, value);
  return headers;
}
