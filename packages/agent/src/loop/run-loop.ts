/**
 * The loop: ask the model, carry out its calls, ask again, until it answers without calls or a limit is reached. Everything done to the
 * world is a step of the SessionScope, so that the same loop runs in process, on a journal, or on a durable engine. It never rejects.
 */
import { appendPrompt } from '../message-list.js';
import type { UserMessage } from '../messages.js';
import { isModelError, ModelError } from '../model-adapter.js';
import type { RunResult } from '../run-result.js';
import type { SessionScope } from '../session-scope.js';
import { compactOnRequest, compactTooLong, compactWhenFull } from './compaction.js';
import { type Answer, type AskOptions, askModel } from './model-step.js';
import { type Ending, endingOf, failedEnding, limitBefore, stoppedEnding } from './ending.js';
import { OutputGate } from './output-gate.js';
import type { RunJob } from './run-job.js';
import { RunState } from './run-state.js';
import { TurnCalls } from './turn-calls.js';
import { addUsage } from './usage.js';

export async function runLoop(scope: SessionScope, job: RunJob): Promise<RunResult> {
  const run = new RunState(scope, job);
  run.emit('started', { type: 'run_started', model: `${job.model.provider}:${job.model.model}`, prompt: promptOf(job.input) });
  appendPrompt(job.history, job.input);
  let ending: Ending;
  try {
    ending = await turnsUntilDone(run);
  } catch (error) {
    ending = failedEnding(error, scope.signal);
    if (ending.error?.code === 'internal') job.failedUnexpectedly(error);
  }
  return finish(run, ending);
}

async function turnsUntilDone(run: RunState): Promise<Ending> {
  const calls = new TurnCalls(run);
  const output = new OutputGate(run.job.output);
  let steered: { steered?: UserMessage[] } = {};
  for (let turn = 1; ; turn += 1) {
    const limit = limitBefore(turn, run, calls.guard);
    if (limit !== undefined) return limit.closing ? closingAnswer(run, turn, limit.ending) : limit.ending;
    run.emit(`t${turn}/started`, { type: 'turn_started', turn });
    const answer = await nextAnswer(run, { turn, ...output.takeNote(), ...steered });
    await calls.carryOut(turn, answer.message, isCut(answer));
    run.emit(`t${turn}/finished`, { type: 'turn_finished', turn, usage: answer.usage });
    if (run.scope.signal.aborted) return stoppedEnding(run.scope.signal);
    const ending = output.judge(endingOf(answer), answer.message);
    if (ending !== undefined && ending.status !== 'completed') return ending;
    steered = ending === undefined ? {} : await lateSteering(run, turn);
    if (ending !== undefined && steered.steered === undefined) return ending;
  }
}

/** What the user sent while the final answer was written: then it is not the final one. Recorded, so that a replay decides the same. */
async function lateSteering(run: RunState, turn: number): Promise<{ steered?: UserMessage[] }> {
  const { messages } = await run.scope.step(`t${turn}/more`, () => Promise.resolve({ messages: run.job.takeSteering() }));
  return messages.length === 0 ? {} : { steered: messages };
}

async function nextAnswer(run: RunState, ask: Omit<AskOptions, 'key'>): Promise<Answer> {
  const { turn } = ask;
  await compactOnRequest(run, turn);
  await compactWhenFull(run, turn);
  let answer = await askModel(run, { key: `t${turn}/model`, ...ask });
  if ('tooLong' in answer && (await compactTooLong(run, turn))) answer = await askModel(run, { key: `t${turn}/model/2`, ...ask });
  if ('tooLong' in answer) throw new ModelError('context_too_long', answer.tooLong, { provider: run.job.model.provider, retryable: false });
  accept(run, answer);
  run.turns = turn;
  return answer;
}

function accept(run: RunState, answer: Answer): void {
  if (answer.steered !== undefined) run.job.history.push(...answer.steered);
  if (answer.note !== undefined) run.job.history.push(answer.note);
  run.addAnswer(answer.message, answer.usage);
  addUsage(run.usage, answer.usage);
  if (answer.wasted !== undefined) addUsage(run.usage, answer.wasted);
}

/** At a limit: one more request without tools, so that what was found out is not lost. Its failure changes nothing. */
async function closingAnswer(run: RunState, turn: number, ending: Ending): Promise<Ending> {
  const text = `${ending.error?.message ?? 'A limit is reached'}. Do not call tools any more: answer now with what you know, and say what is left undone.`;
  const note: UserMessage = { role: 'user', content: [{ type: 'text', text }], origin: 'note' };
  try {
    const answer = await askModel(run, { key: 'closing/model', turn, toolChoice: 'none', note, attempts: 2 });
    if ('tooLong' in answer) return ending;
    accept(run, answer);
    return ending;
  } catch (error) {
    if (run.scope.signal.aborted) return stoppedEnding(run.scope.signal);
    if (isModelError(error)) return ending;
    throw error;
  }
}

/** Calls of an answer that did not end properly may be cut in the middle: none of them runs. */
function isCut(answer: Answer): boolean {
  return answer.finish === 'length' || answer.finish === 'content_filter' || answer.finish === 'refusal' || answer.finish === 'error';
}

function finish(run: RunState, ending: Ending): RunResult {
  const { scope, job, usage, turns, cost, text } = run;
  const priced = cost === undefined ? {} : { cost };
  const failed = ending.error === undefined ? {} : { error: ending.error };
  run.emit('finished', { type: 'run_finished', status: ending.status, text, usage, turns, ...failed, ...priced });
  return {
    status: ending.status, text, turns, usage, ...priced, toolCalls: run.toolCalls,
    runId: scope.runId, sessionId: scope.sessionId, messages: job.history, ...failed,
    ...('output' in ending ? { output: ending.output } : {}),
  };
}

function promptOf(input: UserMessage): string {
  return input.content.map((part) => (part.type === 'text' ? part.text : `[${part.mediaType}]`)).join('');
}
