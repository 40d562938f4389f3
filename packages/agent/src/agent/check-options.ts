/** Refuses limits, retries, prompts and answers that make no sense, before anything runs: the message names the option and the remedy. */
import { type ApprovalAnswer, SetupError } from '@haft/core';
import type { RetryPolicy } from '../loop/retry-policy.js';
import type { RunLimits } from '../loop/run-job.js';
import type { UserMessage } from '../messages.js';
import type { AgentInput } from './agent-options.js';

const counts = ['maxTurns', 'maxParallelCalls', 'maxCalls', 'maxTokens', 'maxMs', 'maxIdenticalCalls', 'contextTokens', 'maxTurnOutputChars'] as const;

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

/** The prompt as a message. @throws SetupError for an empty one, which every provider refuses. */
export function inputMessage(input: AgentInput): UserMessage {
  const message: UserMessage = typeof input === 'string' ? { role: 'user', content: [{ type: 'text', text: input }] } : input;
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
