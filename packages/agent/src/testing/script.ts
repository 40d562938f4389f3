/** What a scripted model says: the same script drives the in-process double and the server that speaks the vendors' formats. */
import type { FinishReason, Usage } from '../messages.js';

export interface ScriptedCall {
  name: string;
  /** An object, or raw text to be sent as it is (also text that is no JSON). */
  arguments?: object | string;
  /** Default: a fresh one. `''` sends an empty id, as some servers do. */
  id?: string;
}

/** One answer of the model. */
export interface ScriptedTurn {
  text?: string;
  reasoning?: string;
  calls?: readonly ScriptedCall[];
  /** Default: `tool_calls` when there are calls, else `stop`. */
  finish?: FinishReason;
  usage?: Partial<Usage>;
  /** Milliseconds before the answer begins. */
  delayMs?: number;
  /** What goes wrong with this answer (server only, but for `status`). */
  fault?: Fault;
  /** How the bytes are sent (server only). */
  delivery?: Delivery;
  /** A raw answer in the vendor's own format, in place of the fields above: events of a stream, or one JSON body. */
  raw?: { events?: readonly object[]; body?: unknown };
}

export type Fault =
  /** An HTTP error. Without `body`: the vendor's own error shape with `message` and `type`. */
  | { kind: 'status'; status: number; headers?: Record<string, string>; body?: string; message?: string; type?: string; code?: string }
  | { kind: 'reset_before_headers' }
  | { kind: 'no_headers' }
  /** After this many bytes of the body: the socket is reset, or with `clean` the answer ends as if whole. */
  | { kind: 'cut'; afterBytes: number; clean?: boolean }
  /** After this many bytes: silence, the connection open. */
  | { kind: 'silence'; afterBytes: number }
  /** One byte each `everyMs`. */
  | { kind: 'trickle'; everyMs: number }
  /** After this many events: one that is not JSON. */
  | { kind: 'malformed_event'; afterEvents: number }
  /** After this many events: the vendor's error event inside the 200. */
  | { kind: 'error_event'; afterEvents: number; type: string; message: string }
  /** A body without end, of comments; with `oneLine` it is one line; with `events` the answer's own events but the last, again and again. */
  | { kind: 'endless'; oneLine?: boolean; events?: boolean }
  | { kind: 'html'; status?: number }
  | { kind: 'broken_gzip' };

export interface Delivery {
  /** Size of the pieces written; a piece may end inside a character. */
  chunkBytes?: number;
  /** CRLF line ends, as the SSE specification allows. */
  crlf?: boolean;
  /** Comment lines and, for Anthropic, pings between the events. */
  comments?: boolean;
  /** Characters of text or arguments in one delta. Default 12. */
  deltaChars?: number;
}

/** The answers in order, or a function that makes each from the request. */
export type Script = readonly ScriptedTurn[] | ((request: ScriptedRequest, index: number) => ScriptedTurn | Promise<ScriptedTurn>);

export interface ScriptedRequest {
  /** Which format was asked: absent for the in-process double. */
  api?: 'chat' | 'responses' | 'messages';
  /** The body of the HTTP request, or the neutral ModelRequest. */
  body: unknown;
}

/** The finish that a turn has when it names none. */
export function finishOf(turn: ScriptedTurn): FinishReason {
  return turn.finish ?? ((turn.calls?.length ?? 0) > 0 ? 'tool_calls' : 'stop');
}

/** The arguments of a scripted call as text. */
export function callText(call: ScriptedCall): string {
  if (typeof call.arguments === 'string') return call.arguments;
  return JSON.stringify(call.arguments ?? {});
}

/** Text in pieces of at most `size` characters, never inside a surrogate pair. */
export function pieces(text: string, size = 12): string[] {
  return text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'gu')) ?? [];
}

export const usageOf = (turn: ScriptedTurn): Usage => ({ input: 10, output: 5, ...turn.usage });
