/** Refuses limits, retries, prompts and answers that make no sense, before anything runs: the message names the option and the remedy. */
import { type ApprovalAnswer, SetupError } from '@haft/core';
import type { RetryPolicy } from '../loop/retry-policy.js';
import type { RunLimits } from '../loop/run-job.js';
import type { UserMessage } from '../messages.js';
import type { ModelAdapter } from '../model-adapter.js';
import type { AgentInput } from './agent-options.js';

const counts = ['maxTurns', 'maxParallelCalls', 'maxCalls', 'maxTokens', 'maxMs', 'maxIdenticalCalls', 'contextTokens', 'maxTurnOutputChars'] as const;

/** @throws SetupError where there is no model, or something that is none. */
export function checkModel(model: unknown): void {
  const { provider, stream } = (model ?? {}) as Partial<ModelAdapter>;
  if (typeof provider === 'string' && typeof stream === 'function') return;
  throw new SetupError(`\`model\` ${model === undefined ? 'is missing' : 'is no model adapter'}; give one, e.g. openai({ model }), anthropic({ model }) or offline().`);
}

/** @throws SetupError for tool classes where names belong. */
export function checkToolNames(tools: unknown): void {
  if (tools === undefined || (Array.isArray(tools) && tools.every((tool) => typeof tool === 'string'))) return;
  throw new SetupError('createAgent: `tools` are the names of those tools of `host` or `registry` that may be used. Tool classes go to callWithTools({ tools }), or into a plugin: PluginHost.start({ plugins: [definePlugin({ name, tools })()], root }), given as `host`.');
}

/** @throws SetupError for a limit that is not a positive whole number (`maxCost`: a positive number). */
export function checkLimits(limits: RunLimits): void {
  for (const name of counts) {
    const value = limits[name];
    if (value !== undefined && !(Number.isInteger(value) && value > 0)) throw new SetupError(`limits.${name} is ${String(value)}; give a whole number above 0, or leave it out.`);
  }
  const { maxCost } = limits;
  if (maxCost !== undefined && !(Number.isFinite(maxCost) && maxCost > 0)) throw new SetupError(`limits.maxCost is ${String(maxCost)}; give US dollars above 0, or leave it out.`);
}

/** @throws SetupError */
export function checkRetry(retry: Partial<RetryPolicy>): void {
  for (const [name, value] of Object.entries(retry)) {
    if (!Number.isFinite(value) || value < 0 || (name === 'attempts' && value < 1)) throw new SetupError(`retry.${name} is ${String(value)}; give ${name === 'attempts' ? 'a number of requests, 1 or more' : 'milliseconds'}.`);
  }
}

/** The prompt as a message. @throws SetupError for none, and for an empty one, which every provider refuses. */
export function inputMessage(input: AgentInput): UserMessage {
  const message: UserMessage = typeof input === 'string' ? { role: 'user', content: [{ type: 'text', text: input }] } : input;
  if (!Array.isArray((message as Partial<UserMessage> | undefined)?.content)) throw new SetupError(`The prompt is ${message === undefined ? 'missing' : 'no text and no user message'}; give a text.`);
  if (!message.content.some((part) => part.type !== 'text' || part.text.trim() !== '')) throw new SetupError('The prompt is empty.');
  return message;
}

/** What is wrong with an answer to a question, or undefined. Answers come from people and pages, so their shape is not certain. */
export function problemOfAnswer(answer: ApprovalAnswer): string | undefined {
  const given: unknown = answer;
  if (typeof given !== 'object' || given === null) return 'it is no object';
  const { answer: kind, arguments: values } = given as { answer?: unknown; arguments?: unknown };
  if (kind === 'edit') return typeof values === 'object' && values !== null && !Array.isArray(values) ? undefined : 'an edit needs `arguments`, an object';
  return kind === 'once' || kind === 'session' || kind === 'always' || kind === 'deny' ? undefined : `${JSON.stringify(kind)} is none of once, session, always, deny, edit`;
}
