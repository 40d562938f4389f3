/** What the server's parts share: an answer in one vendor's format, as a body and as events. */
export type Api = 'chat' | 'responses' | 'messages';

export interface WireAnswer {
  /** The answer to a request without `stream`. */
  body: unknown;
  /** The events of a stream, in order; an event of Chat Completions has no name. */
  events: WireEvent[];
}

export interface WireEvent {
  name?: string;
  data: object | '[DONE]';
}

export type JsonRecord = Record<string, unknown>;

export const record = (value: unknown): JsonRecord => (typeof value === 'object' && value !== null ? (value as JsonRecord) : {});
export const list = (value: unknown): JsonRecord[] => (Array.isArray(value) ? value.map(record) : []);

/** The bytes of one server-sent event. */
export function eventText(event: WireEvent, lineEnd: string): string {
  const data = event.data === '[DONE]' ? '[DONE]' : JSON.stringify(event.data);
  return `${event.name === undefined ? '' : `event: ${event.name}${lineEnd}`}data: ${data}${lineEnd}${lineEnd}`;
}
