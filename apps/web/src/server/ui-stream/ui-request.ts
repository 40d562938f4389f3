/** What the AI SDK's chat transport posts, checked: only what is new in it is read, the history is our own. */
import type { UserMessage } from '@haft/agent';
import { WebError } from '../web-error.js';
import { fromApprovalId } from './ui-chunks.js';

export interface UiAnswer {
  callId: string;
  hash: string;
  approved: boolean;
  reason?: string;
}

export type UiRequest = { id: string } & (
  | { kind: 'message'; message: UserMessage }
  /** Answers to questions of the last assistant message, whose id the stream goes on with. */
  | { kind: 'answers'; answers: UiAnswer[]; messageId: string; knownCalls: string[] }
);

type Loose = Record<string, unknown>;

/** @throws WebError 400 that says what is missing. */
export function readUiRequest(body: unknown): UiRequest {
  const { id, messages, trigger } = object(body, 'The body');
  if (typeof id !== 'string') throw wrong('`id` is missing.');
  if (!Array.isArray(messages) || messages.length === 0) throw wrong('`messages` is empty.');
  const all = messages.map((message: unknown) => object(message, 'A message'));
  const last = all.at(-1) as Loose;
  if (last['role'] === 'assistant' && trigger !== 'regenerate-message') return { id, kind: 'answers', ...answersIn(last) };
  const user = all.findLast((message) => message['role'] === 'user');
  if (!user) throw wrong('No message of the user is among `messages`.');
  return { id, kind: 'message', message: { role: 'user', content: contentOf(partsOf(user)) } };
}

function answersIn(message: Loose): { answers: UiAnswer[]; messageId: string; knownCalls: string[] } {
  const parts = partsOf(message);
  const answers = parts.flatMap((part): UiAnswer[] => {
    if (part['state'] !== 'approval-responded') return [];
    const approval = object(part['approval'], 'An approval');
    const named = fromApprovalId(typeof approval['id'] === 'string' ? approval['id'] : '');
    if (!named || typeof approval['approved'] !== 'boolean') throw wrong('An approval has no id of ours, or no answer.');
    return [{ ...named, approved: approval['approved'], ...(typeof approval['reason'] === 'string' ? { reason: approval['reason'] } : {}) }];
  });
  if (answers.length === 0) throw wrong('The last message is the assistant\'s and answers no question.');
  const knownCalls = parts.flatMap((part) => (typeof part['toolCallId'] === 'string' ? [part['toolCallId']] : []));
  return { answers, knownCalls, messageId: typeof message['id'] === 'string' ? message['id'] : '' };
}

function contentOf(parts: readonly Loose[]): UserMessage['content'] {
  const content = parts.flatMap((part): UserMessage['content'] => {
    if (part['type'] === 'text' && typeof part['text'] === 'string') return [{ type: 'text', text: part['text'] }];
    if (part['type'] !== 'file') return [];
    const image = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=]+)$/.exec(typeof part['url'] === 'string' ? part['url'] : '');
    if (!image) throw wrong('A file must be a PNG, JPEG, GIF or WebP image as a data URL.');
    return [{ type: 'image', mediaType: String(image[1]), data: String(image[2]) }];
  });
  if (content.length === 0) throw wrong('The message has neither text nor image.');
  return content;
}

function partsOf(message: Loose): Loose[] {
  const { parts } = message;
  if (!Array.isArray(parts)) throw wrong('A message has no `parts`.');
  return parts.map((part: unknown) => object(part, 'A part'));
}

function object(value: unknown, what: string): Loose {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Loose;
  throw wrong(`${what} is not an object.`);
}

function wrong(message: string): WebError {
  return new WebError(400, 'invalid_body', message);
}
