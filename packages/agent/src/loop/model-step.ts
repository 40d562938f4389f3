/** One answer of the model: request, stream, retries. The whole of it is one step, so its waits and clocks are inside. */
import type { AssistantMessage, FinishReason, Message, Usage, UserMessage } from '../messages.js';
import { isModelError, ModelError, type ModelRequest, type ModelTurn, type ToolChoice } from '../model-adapter.js';
import { finalMessage, nextDelay } from './retry-policy.js';
import type { RunJob } from './run-job.js';
import type { RunState } from './run-state.js';
import { pause } from './pause.js';

/** What is recorded of a model step: JSON. */
export interface Answer {
  /** Its call ids are already ours. */
  message: AssistantMessage;
  finish: FinishReason;
  usage: Usage;
  /** Tokens of an answer with nothing in it that was thrown away before this one. */
  wasted?: Usage;
  /** Messages of the user that came in before the request and are part of it. */
  steered?: UserMessage[];
  /** The note that this request ended with, when it belongs into the conversation. */
  note?: UserMessage;
}

/** What is recorded when the provider says that the conversation is too long: the loop compacts and asks again. */
export interface TooLong {
  tooLong: string;
}

export interface AskOptions {
  /** Unique in the run. */
  key: string;
  turn: number;
  toolChoice?: ToolChoice;
  /** Messages of the user that came in when the last answer was final. */
  steered?: UserMessage[];
  /** Sent at the end of this request, e.g. that the limit is reached. */
  note?: UserMessage;
  attempts?: number;
}

/** Asks the model once. Rejects with a ModelError when it failed for good, or with the abort's reason. */
export async function askModel(run: RunState, options: AskOptions): Promise<Answer | TooLong> {
  run.pairHistory(options.turn);
  return run.scope.step<Answer | TooLong>(options.key, async () => {
    run.scope.signal.throwIfAborted();
    const sent = run.job.takeSteering();
    const steered = [...(options.steered ?? []), ...sent];
    let answer: Answer | TooLong | undefined;
    try {
      answer = await withRetries(run, options, steered);
    } finally {
      if (answer === undefined || 'tooLong' in answer) run.job.returnSteering(sent);
    }
    if ('tooLong' in answer) return answer;
    if (steered.length > 0) answer.steered = steered;
    if (options.note !== undefined) answer.note = options.note;
    return options.toolChoice === 'none' ? withoutCalls(answer) : answer;
  });
}

async function withRetries(run: RunState, options: AskOptions, steered: UserMessage[]): Promise<Answer | TooLong> {
  const { retry } = run.job;
  const policy = options.attempts === undefined ? retry : { ...retry, attempts: options.attempts };
  let wasted: { wasted?: Usage } = {};
  const request = requestOf(run, options, steered);
  for (let attempt = 1, waited = 0; ; attempt += 1) {
    try {
      const turn = await streamTurn(run, options, request, attempt);
      if (isEmpty(turn) && attempt === 1) {
        wasted = { wasted: turn.usage };
        throw emptyAnswer(run.job);
      }
      return { message: ownIds(turn.message, run, options.turn), finish: turn.finish, usage: turn.usage, ...wasted };
    } catch (thrown) {
      if (run.scope.signal.aborted || !isModelError(thrown)) throw thrown;
      if (thrown.code === 'context_too_long') return { tooLong: thrown.message };
      const delayMs = nextDelay(thrown, attempt, waited, policy, Math.random());
      if (delayMs === undefined) throw asFinal(thrown, run.job);
      run.emit(`${options.key}/retry/${attempt}/${run.scope.attemptId}`, {
        type: 'retrying', turn: options.turn, attempt, delayMs, code: thrown.code, message: thrown.message,
      });
      await pause(delayMs, run.scope.signal);
      waited += delayMs;
    }
  }
}

function requestOf({ job, scope }: RunState, options: AskOptions, steered: readonly UserMessage[]): ModelRequest {
  const extra: Message[] = options.note === undefined ? [...steered] : [...steered, options.note];
  const request: ModelRequest = { messages: extra.length === 0 ? job.history : [...job.history, ...extra], tools: job.tools(), sessionId: scope.sessionId };
  if (job.system !== undefined) request.system = job.system;
  if (options.toolChoice !== undefined) request.toolChoice = options.toolChoice;
  if (job.maxOutputTokens !== undefined) request.maxOutputTokens = job.maxOutputTokens;
  if (job.temperature !== undefined) request.temperature = job.temperature;
  if (job.output !== undefined) request.output = { name: job.output.name, schema: job.output.schema };
  return request;
}

/** One attempt. Nothing of it survives a failure but the deltas that were shown; `retrying` tells readers to discard those. */
async function streamTurn(run: RunState, options: AskOptions, request: ModelRequest, attempt: number): Promise<ModelTurn> {
  const { job, scope, emit } = run;
  let delta = 0;
  for await (const event of job.model.stream(request, scope.signal)) {
    if (event.type === 'turn') {
      scope.signal.throwIfAborted();
      return event.turn;
    }
    emit(`${options.key}/${attempt}/${scope.attemptId}/d${delta++}`, { type: event.type, turn: options.turn, text: event.text });
  }
  scope.signal.throwIfAborted();
  throw new ModelError('protocol', 'The model\'s answer ended before it was complete.', { provider: job.model.provider, retryable: true });
}

/** Some models call tools although they were told not to. */
function withoutCalls(answer: Answer): Answer {
  const parts = answer.message.parts.filter((part) => part.type !== 'tool_call');
  return { ...answer, message: { ...answer.message, parts } };
}

function isEmpty(turn: ModelTurn): boolean {
  if (turn.finish === 'pause' || turn.finish === 'refusal' || turn.finish === 'content_filter' || turn.finish === 'length') return false;
  return !turn.message.parts.some((part) => part.type === 'tool_call' || (part.type === 'text' && part.text.trim() !== ''));
}

function emptyAnswer(job: RunJob): ModelError {
  return new ModelError('protocol', 'The model returned nothing.', { provider: job.model.provider, retryable: true });
}

function asFinal(error: ModelError, job: RunJob): ModelError {
  const message = finalMessage(error, job.retry, Date.now());
  if (message === error.message) return error;
  const { provider, status, retryAfterMs, requestId } = error;
  return new ModelError(error.code, message, {
    provider, retryable: false, cause: error,
    ...(status === undefined ? {} : { status }), ...(retryAfterMs === undefined ? {} : { retryAfterMs }), ...(requestId === undefined ? {} : { requestId }),
  });
}

/** Replaces the provider's call ids, which servers reuse and leave out, by ours; theirs stay beside for servers that check them. */
function ownIds(message: AssistantMessage, run: RunState, turn: number): AssistantMessage {
  let index = 0;
  const parts = message.parts.map((part) => {
    if (part.type !== 'tool_call') return part;
    index += 1;
    const providerId = part.providerId ?? part.id;
    return { ...part, id: `${run.scope.runId}:t${turn}.${index}`, ...(providerId === '' ? {} : { providerId }) };
  });
  const model = message.model ?? `${run.job.model.provider}:${run.job.model.model}`;
  return { ...message, parts, model };
}
