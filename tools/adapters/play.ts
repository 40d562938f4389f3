// Drives an adapter through a recording: its own answers go back, the results and words of the recording client beside them.
import { anthropic } from '../../packages/anthropic/dist/index.js';
import { type Message, type ModelAdapter, ModelError, type ToolCallPart } from '../../packages/agent/dist/index.js';
import { type CollectedTurn, collectTurn } from '../../packages/agent/dist/testing/index.js';
import type { ToolDefinition } from '../../packages/core/dist/index.js';
import { type ProfileName, openai } from '../../packages/openai/dist/index.js';
import { type RecordedRequest, neutralRequest } from './recorded-history.js';
import type { ExpectedTurn, Recording, ReplayServer } from './replay.js';

export type Outcome = { turn: CollectedTurn } | { error: ModelError };

const profileOfHost: Record<string, ProfileName> = {
  'api.deepseek.com': 'deepseek',
  'api.groq.com': 'groq',
  'api.mistral.ai': 'mistral',
  'openrouter.ai': 'openrouter',
  'generativelanguage.googleapis.com': 'gemini',
};

export function adapterFor(recording: Recording, server: ReplayServer, stream: boolean): ModelAdapter {
  const model = (server.list[0]?.request?.model as string | undefined) ?? 'replay';
  if (recording.api === 'messages') return anthropic({ model, apiKey: 'test-key', baseURL: server.url, stream, thinking: 'adaptive' });
  const profile = profileOfHost[recording.host ?? ''] ?? 'openai';
  return openai({ model, apiKey: 'test-key', baseURL: `${server.url}/v1`, api: server.list[0]?.api === 'chat' ? 'chat' : 'responses', profile, stream });
}

/** The outcome of each turn: the answer as the adapter gives it, or its error. Anything else that is thrown fails the test. */
export async function play(recording: Recording, server: ReplayServer, streamed: (expected: ExpectedTurn) => boolean): Promise<Outcome[]> {
  const history: Message[] = [];
  const outcomes: Outcome[] = [];
  let known = 0;
  for (const [index, expected] of recording.turns.entries()) {
    const asked = requestOf(recording, server, index, outcomes.at(-1));
    history.push(...answering(history, asked.messages.slice(asked.fromStart ? known : 0)));
    const outcome = await ask(adapterFor(recording, server, streamed(expected)), { ...asked, messages: [...history] });
    known = asked.messages.length + ('turn' in outcome ? 1 : 0);
    if ('turn' in outcome) history.push(outcome.turn.message);
    outcomes.push(outcome);
  }
  return outcomes;
}

async function ask(model: ModelAdapter, request: RecordedRequest): Promise<Outcome> {
  try {
    return { turn: await collectTurn(model, request) };
  } catch (error) {
    if (error instanceof ModelError) return { error };
    throw error;
  }
}

/** The recorded request; where only answers were recorded, a made-up one that offers the tools which the answer calls. */
function requestOf(recording: Recording, server: ReplayServer, index: number, before: Outcome | undefined): RecordedRequest & { fromStart: boolean } {
  const body = server.list[index]?.request;
  if (body !== undefined) return { ...neutralRequest(recording.api, body), fromStart: true };
  const names = [...new Set(recording.turns.flatMap((turn) => turn.calls.map((call) => call.name)))];
  const tools = names.map((name) => ({ name, description: name, parameters: { type: 'object', properties: {} } }) as unknown as ToolDefinition);
  const calls = before !== undefined && 'turn' in before ? callsOf(before.turn.message) : [];
  const results = calls.map((call): Message => ({ role: 'tool', callId: call.id, tool: call.name, status: 'success', content: [{ type: 'text', text: 'ok' }] }));
  return { messages: results.length > 0 ? results : [{ role: 'user', content: [{ type: 'text', text: 'Go on.' }] }], tools, toolChoice: 'auto', fromStart: false };
}

/** Results under ids that the recording client minted belong to the calls that are still open, in order. */
function answering(history: readonly Message[], tail: Message[]): Message[] {
  const made = [...history, ...tail].flatMap((message) => (message.role === 'assistant' ? callsOf(message) : []));
  const answered = new Set([...history, ...tail].map((message) => (message.role === 'tool' ? message.callId : '')));
  const open = made.filter((call) => !answered.has(call.id));
  return tail.map((message) => {
    if (message.role !== 'tool' || made.some((call) => call.id === message.callId)) return message;
    return { ...message, callId: open.shift()?.id ?? message.callId };
  });
}

export function callsOf(message: Message & { role: 'assistant' }): ToolCallPart[] {
  return message.parts.filter((part) => part.type === 'tool_call');
}
