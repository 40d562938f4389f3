/** Writes an answer to the socket, with what goes wrong on the way. */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Delivery, Fault } from '../script.js';
import { type Api, type WireAnswer, type WireEvent, eventText } from './wire.js';

export interface DeliveryPlan {
  api: Api;
  streamed: boolean;
  answer: WireAnswer;
  fault: Fault | undefined;
  delivery: Delivery;
  requestId: string;
}

export async function deliver(response: ServerResponse, plan: DeliveryPlan): Promise<void> {
  const { fault, requestId } = plan;
  switch (fault?.kind) {
    case 'status':
      return end(response, fault.status, { 'content-type': 'application/json', 'request-id': requestId, 'x-request-id': requestId, ...fault.headers }, fault.body ?? JSON.stringify(errorBody(plan.api, fault)));
    case 'html':
      return end(response, fault.status ?? 200, { 'content-type': 'text/html' }, '<!doctype html><html><body><h1>Bad gateway</h1></body></html>');
    case 'reset_before_headers':
      response.destroy();
      return undefined;
    case 'no_headers':
      return undefined;
    case 'broken_gzip':
      return end(response, 200, { 'content-type': plan.streamed ? 'text/event-stream' : 'application/json', 'content-encoding': 'gzip' }, 'this is not gzip');
    default:
      return body(response, plan);
  }
}

async function body(response: ServerResponse, plan: DeliveryPlan): Promise<void> {
  const { requestId, fault, delivery } = plan;
  const type = plan.streamed ? 'text/event-stream; charset=utf-8' : 'application/json';
  response.writeHead(200, { 'content-type': type, 'request-id': requestId, 'x-request-id': requestId, 'cache-control': 'no-cache' });
  if (fault?.kind === 'endless') return endless(response, endlessPiece(plan, fault), fault.oneLine === true);
  const bytes = Buffer.from(plan.streamed ? streamText(plan) : bodyText(plan), 'utf8');
  if (fault?.kind === 'cut' || fault?.kind === 'silence') {
    await write(response, bytes.subarray(0, fault.afterBytes), delivery.chunkBytes);
    if (fault.kind === 'silence') return;
    if (fault.clean === true) response.end();
    else response.destroy();
    return;
  }
  await write(response, bytes, fault?.kind === 'trickle' ? 1 : delivery.chunkBytes, fault?.kind === 'trickle' ? fault.everyMs : 0);
  response.end();
}

function streamText({ answer, delivery, fault, api }: DeliveryPlan): string {
  const lineEnd = delivery.crlf === true ? '\r\n' : '\n';
  const texts = answer.events.map((event) => eventText(event, lineEnd));
  if (fault?.kind === 'malformed_event') texts.splice(fault.afterEvents, 0, `event: content_block_delta${lineEnd}data: {"type":"broken${lineEnd}${lineEnd}`);
  if (fault?.kind === 'error_event') texts.splice(fault.afterEvents, Infinity, eventText(errorEvent(api, fault), lineEnd));
  if (delivery.comments !== true) return texts.join('');
  const between = `: keep-alive${lineEnd}${lineEnd}${api === 'messages' ? `event: ping${lineEnd}data: {"type":"ping"}${lineEnd}${lineEnd}` : ''}`;
  return between + texts.join(between);
}

/** Without a stream, the two faults of an event are faults of the body. */
function bodyText({ answer, fault, api }: DeliveryPlan): string {
  if (fault?.kind === 'malformed_event') return JSON.stringify(answer.body).slice(0, -2);
  if (fault?.kind === 'error_event') return JSON.stringify(errorBody(api, fault));
  return JSON.stringify(answer.body);
}

function errorEvent(api: Api, fault: { type: string; message: string }): WireEvent {
  if (api === 'responses') return { name: 'error', data: { type: 'error', code: fault.type, message: fault.message, param: null, sequence_number: 1 } };
  return { ...(api === 'messages' ? { name: 'error' } : {}), data: errorBody(api, fault) };
}

export function errorBody(api: Api, { type = 'api_error', message = 'scripted error', code }: { type?: string; message?: string; code?: string }): object {
  if (api === 'messages') return { type: 'error', error: { type, message } };
  return { error: { message, type, param: null, code: code ?? null } };
}

async function write(response: ServerResponse, bytes: Buffer, chunkBytes = bytes.length, everyMs = 0): Promise<void> {
  for (let at = 0; at < bytes.length && !response.destroyed; at += chunkBytes) {
    await new Promise<void>((resolve) => response.write(bytes.subarray(at, at + chunkBytes), () => resolve()));
    if (everyMs > 0) await sleep(everyMs);
    else if (chunkBytes < bytes.length) await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

function endlessPiece({ answer }: DeliveryPlan, { oneLine, events }: Fault & { kind: 'endless' }): Buffer {
  if (oneLine === true) return Buffer.from('x'.repeat(65_536));
  return Buffer.from(events === true ? answer.events.slice(0, -1).map((event) => eventText(event, '\n')).join('') : `: ${'x'.repeat(1021)}\n`.repeat(64));
}

async function endless(response: ServerResponse, piece: Buffer, oneLine: boolean): Promise<void> {
  if (oneLine) response.write('data: ');
  while (!response.destroyed && response.writable) await new Promise<void>((resolve) => response.write(piece, () => resolve()));
}

function end(response: ServerResponse, status: number, headers: Record<string, string>, text: string): undefined {
  response.writeHead(status, headers);
  response.end(text);
}
