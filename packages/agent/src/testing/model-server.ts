/** A server on loopback that speaks Chat Completions, Responses and Messages from one script, as strict as the real services. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenOnLoopback } from './loopback.js';
import { chatAnswer } from './server/chat-answer.js';
import { deliver, errorBody } from './server/deliver.js';
import { messagesAnswer } from './server/messages-answer.js';
import { responsesAnswer } from './server/responses-answer.js';
import { messagesApiFault } from './server/validate-anthropic.js';
import { chatFault, responsesFault } from './server/validate-openai.js';
import { type Api, type JsonRecord, type WireAnswer, record } from './server/wire.js';
import type { Script, ScriptedTurn } from './script.js';

export interface RecordedRequest {
  api: Api;
  path: string;
  headers: Record<string, string>;
  body: JsonRecord;
  /** The rule that the request broke; it was answered with 400. */
  refused?: string;
}

export interface ModelServer {
  /** `http://127.0.0.1:PORT`: the base URL for Anthropic. */
  url: string;
  /** The base URL for OpenAI: `url` + `/v1`. */
  openaiBaseURL: string;
  anthropicBaseURL: string;
  requests: RecordedRequest[];
  close(): Promise<void>;
}

const paths: [RegExp, Api][] = [[/\/chat\/completions$/, 'chat'], [/\/responses$/, 'responses'], [/\/messages$/, 'messages']];
/** An escape of half a surrogate pair; the services' parsers refuse it. */
const halfPair = /(?<!\\)(?:\\\\)*\\ud[89a-f][0-9a-f]{2}/;
const faults = { chat: chatFault, responses: responsesFault, messages: messagesApiFault };
const answers = { chat: chatAnswer, responses: responsesAnswer, messages: messagesAnswer };

/**
 * Starts the server on a free port of 127.0.0.1. Each request takes the script's next turn; one that the real service would refuse
 * (unpaired calls, illegal names, empty content, no key) gets 400 or 401 and takes none. After the last turn: 404.
 */
export async function startModelServer(script: Script): Promise<ModelServer> {
  const requests: RecordedRequest[] = [];
  let served = 0;
  const { url, close } = await listenOnLoopback(answer);
  return { url, openaiBaseURL: `${url}/v1`, anthropicBaseURL: url, requests, close };

  async function answer(request: IncomingMessage, response: ServerResponse, text: string): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://loopback');
    const api = paths.find(([pattern]) => pattern.test(pathname))?.[1];
    if (api === undefined) return send(response, 404, errorBody('chat', { type: 'not_found_error', message: `no such path: ${pathname}` }));
    const body = record(JSON.parse(text));
    const entry: RecordedRequest = { api, path: pathname, headers: request.headers as Record<string, string>, body };
    requests.push(entry);
    if (!(request.headers.authorization ?? request.headers['x-api-key'])) return send(response, 401, errorBody(api, { type: 'authentication_error', message: 'no key' }));
    const refused = halfPair.test(text) ? 'The request body is not valid JSON: no low surrogate in string' : faults[api](body);
    if (refused !== undefined) {
      entry.refused = refused;
      return send(response, 400, errorBody(api, { type: 'invalid_request_error', message: refused }));
    }
    const serial = served++;
    const turn = typeof script === 'function' ? await script({ api, body }, serial) : script[serial];
    if (turn === undefined) return send(response, 404, errorBody(api, { type: 'not_found_error', message: `The script has ${serial} turns, and one more was asked for.` }));
    if (turn.delayMs !== undefined) await sleep(turn.delayMs);
    const wire = wireAnswer(turn, api, String(body.model), serial);
    await deliver(response, { api, streamed: body.stream === true, answer: wire, fault: turn.fault, delivery: turn.delivery ?? {}, requestId: `req_${serial}` });
    return undefined;
  }
}

function wireAnswer(turn: ScriptedTurn, api: Api, model: string, serial: number): WireAnswer {
  if (turn.raw === undefined) return answers[api](turn, model, serial);
  const named = (data: object): { name?: string; data: object } => (api === 'chat' ? { data } : { name: String((data as { type?: unknown }).type), data });
  const events: WireAnswer['events'] = (turn.raw.events ?? []).map(named);
  if (api === 'chat') events.push({ data: '[DONE]' });
  return { body: turn.raw.body ?? {}, events };
}

function send(response: ServerResponse, status: number, body: object): undefined {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_refused' });
  response.end(JSON.stringify(body));
}
