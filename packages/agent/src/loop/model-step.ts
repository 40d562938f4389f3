/** One answer of the model. Each request is a step, and the wait before the next one is too: a run that dies waits only for the rest. */
import type { AssistantMessage, FinishReason, Message, Usage, UserMessage } from '../messages.js';
import { isModelError, ModelError, type ModelErrorCode, type ModelRequest, type ModelTurn, type ToolChoice } from '../model-adapter.js';
import { finalMessage, nextDelay } from './retry-policy.js';
import type { RunJob } from './run-job.js';
import type { RunState } from './run-state.js';

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

/** What is recorded of a request that failed and is to be made again. */
interface Failed {
  failed: { code: ModelErrorCode; message: string; delayMs: number };
  /** Tokens of an answer with nothing in it. */
  wasted?: Usage;
}

/** What the attempts before this one came to. */
interface Attempt {
  number: number;
  waitedMs: number;
  wasted?: Usage;
}

/** Asks the model, again where that can help. Rejects with a ModelError when it failed for good, or with the abort's reason. */
export async function askModel(run: RunState, options: AskOptions): Promise<Answer | TooLong> {
  run.pairHistory(options.turn);
  for (let attempt: Attempt = { number: 1, waitedMs: 0 }; ;) {
    const { number, waitedMs } = attempt;
    const key = number === 1 ? options.key : `${options.key}/try/${number}`;
    const outcome = await run.scope.step<Answer | TooLong | Failed>(key, () => attemptOnce(run, options, attempt));
    if (!('failed' in outcome)) return outcome;
    const { delayMs } = outcome.failed;
    run.emit(`${key}/retry`, { type: 'retrying', turn: options.turn, attempt: number, ...outcome.failed });
    await run.scope.sleep(`${key}/wait`, delayMs);
    const { wasted = attempt.wasted } = outcome;
    attempt = { number: number + 1, waitedMs: waitedMs + delayMs, ...(wasted === undefined ? {} : { wasted }) };
  }
}

/** One request with what the user has sent since the last one; a failure gives those messages back. */
async function attemptOnce(run: RunState, options: AskOptions, attempt: Attempt): Promise<Answer | TooLong | Failed> {
  run.scope.signal.throwIfAborted();
  const sent = run.job.takeSteering();
  const steered = [...(options.steered ?? []), ...sent];
  let answer: Answer | undefined;
  try {
    const turn = await streamTurn(run, options, requestOf(run, options, steered), attempt.number);
    if (isEmpty(turn) && attempt.number === 1) return { ...failed(emptyAnswer(run.job), run.job, attempt, options.attempts), wasted: turn.usage };
    answer = { message: ownIds(turn.message, run, options.turn), finish: turn.finish, usage: turn.usage };
  } catch (thrown) {
    if (run.scope.signal.aborted || !isModelError(thrown)) throw thrown;
    if (thrown.code === 'context_too_long') return { tooLong: thrown.message };
    return failed(thrown, run.job, attempt, options.attempts);
  } finally {
    if (answer === undefined) run.job.returnSteering(sent);
  }
  if (attempt.wasted !== undefined) answer.wasted = attempt.wasted;
  if (steered.length > 0) answer.steered = steered;
  if (options.note !== undefined) answer.note = options.note;
  return options.toolChoice === 'none' ? withoutCalls(answer) : answer;
}

/** When to ask again after this failure. Throws it when that would not help. */
function failed(error: ModelError, job: RunJob, { number, waitedMs }: Attempt, attempts = job.retry.attempts): Failed {
  const delayMs = nextDelay(error, number, waitedMs, { ...job.retry, attempts }, Math.random());
  if (delayMs === undefined) throw asFinal(error, job);
  return { failed: { code: error.code, message: error.message, delayMs } };
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
