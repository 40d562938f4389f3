/** Plays a cassette: the recorded answers in their order, and a note wherever the requests are no longer the recorded ones. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { type Cassette, type Interaction, loadCassette } from './cassette.js';
import { jsonOrText, listenOnLoopback, sendJson } from '../loopback.js';

export interface ReplayOptions {
  /** Whether a request that differs from the recorded one is answered with 400. Default false: it is only noted. */
  strict?: boolean;
  /** Size of the pieces in which an answer is written. Default: at once. */
  chunkBytes?: number;
}

export interface Replay {
  /** The base URL for the adapter, in place of the recorded target. */
  url: string;
  /** One sentence for each request that was not the recorded one. */
  differences: string[];
  /** Recorded answers that were not asked for yet. */
  left(): number;
  close(): Promise<void>;
}

/** Starts a player of a cassette (or of the file that holds it) on a free port of 127.0.0.1. */
export async function startReplay(source: Cassette | string, options: ReplayOptions = {}): Promise<Replay> {
  const cassette = typeof source === 'string' ? await loadCassette(source) : source;
  const differences: string[] = [];
  let next = 0;
  const { url, close } = await listenOnLoopback(play);
  return { url, differences, close, left: () => cassette.interactions.length - next };

  async function play(request: IncomingMessage, response: ServerResponse, text: string): Promise<void> {
    const interaction = cassette.interactions[next];
    if (interaction === undefined) return refuse(response, `request ${next + 1}: the cassette has ${cassette.interactions.length} answers, and one more was asked for`);
    const difference = differenceOf(interaction, request.url ?? '/', jsonOrText(text));
    if (difference !== undefined) {
      differences.push(`request ${next + 1}: ${difference}`);
      if (options.strict === true) return refuse(response, `request ${next + 1}: ${difference}`, false);
    }
    next += 1;
    return answer(response, interaction.response, options.chunkBytes);
  }

  function refuse(response: ServerResponse, message: string, note = true): void {
    if (note) differences.push(message);
    sendJson(response, 400, { type: 'error', error: { type: 'invalid_request_error', message: `replay: ${message}` } });
  }
}

async function answer(response: ServerResponse, { status, headers, body, lines }: Interaction['response'], chunkBytes: number | undefined): Promise<void> {
  const bytes = Buffer.from(lines === undefined ? JSON.stringify(body) : lines.join('\n'));
  const size = chunkBytes ?? (bytes.length || 1);
  response.writeHead(status, headers);
  for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
    await new Promise<void>((resolve) => response.write(bytes.subarray(at, at + size), () => setImmediate(resolve)));
  }
  response.end();
}

/** Where the conversation itself differs; limits, keys and the like may change. */
function differenceOf({ request }: Interaction, path: string, body: unknown): string | undefined {
  if (path !== request.path) return `${path} was asked, ${request.path} was recorded`;
  const field = ['model', 'messages', 'input', 'system', 'instructions', 'tools', 'stream'].find((name) => !isDeepStrictEqual(part(request.body, name), part(body, name)));
  return field === undefined ? undefined : `"${field}" is not what was recorded`;
}

const part = (body: unknown, name: string): unknown => (typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined);
