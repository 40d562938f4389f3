/** Makes the history shorter when the model's context is nearly full, or was too small: older turns become notes, the last ones stay. */
import { messageTokens } from '../context/estimate-tokens.js';
import { contentChars, shortenContent } from '../context/shorten.js';
import { splitHistory } from '../context/split-history.js';
import { plainNotes, summaryMessage, summaryRequest, summarySystem } from '../context/summary.js';
import { replaceMessages } from '../message-list.js';
import type { Message, Usage } from '../messages.js';
import { isModelError, type ModelTurn } from '../model-adapter.js';
import { type RunState, textOf } from './run-state.js';
import { addUsage } from './usage.js';

/** The part of the context at which the history is made shorter, and the part that the kept turns may fill. */
const FULL = 0.8;
const KEPT = 0.3;
/** The most that one part of the notes may fill. */
const NOTES = 0.1;
/** Assumed where the model says nothing of its context, once it has called a conversation too long. */
const UNKNOWN_WINDOW = 32_000;
/** A conversation that fills less is not made shorter on request: nothing would be gained. */
const SHORT = 8_000;
const CHARS_PER_TOKEN = 3;

/** What is recorded: the whole history as it goes on. */
interface Compacted {
  messages: Message[];
  before: number;
  after: number;
  usage: Usage;
}

/** Before a request: only where the window is known and nearly full. */
export async function compactWhenFull(run: RunState, turn: number): Promise<void> {
  const window = windowOf(run);
  if (window === undefined || run.contextTokens() <= window * FULL) return;
  await compact(run, turn, `t${turn}/compact`, window);
}

/** Before the first request, when the user wants it: as if the window were as large as what is in it. */
export async function compactOnRequest(run: RunState, turn: number): Promise<void> {
  if (turn === 1 && run.job.compactFirst === true) await compact(run, turn, `t${turn}/asked/compact`, Math.max(SHORT, Math.min(windowOf(run) ?? UNKNOWN_WINDOW, run.contextTokens())));
}

/** After a provider's "too long". False when there is nothing left to make shorter. */
export function compactTooLong(run: RunState, turn: number): Promise<boolean> {
  const window = Math.min(windowOf(run) ?? UNKNOWN_WINDOW, run.contextTokens());
  return compact(run, turn, `t${turn}/too-long/compact`, window);
}

function windowOf(run: RunState): number | undefined {
  return run.job.limits.contextTokens ?? run.job.model.contextWindow;
}

async function compact(run: RunState, turn: number, key: string, window: number): Promise<boolean> {
  const { history } = run.job;
  const { older, recent } = splitHistory(history, window * KEPT);
  const shortened = recent.map((message) => shortenResult(message, window));
  if (older.length === 0 && shortened.every((message, index) => message === recent[index])) return false;
  const before = run.contextTokens();
  const value = await run.scope.step<Compacted>(key, async () => {
    const { notes, usage } = older.length === 0 ? { notes: '', usage: { input: 0, output: 0 } } : await writeNotes(run, older, window);
    const messages = older.length === 0 ? shortened : [summaryMessage(older, notes, Math.floor(window * NOTES * CHARS_PER_TOKEN)), ...shortened];
    return { messages, before, after: before - tokensOf(history) + tokensOf(messages), usage };
  });
  replaceMessages(history, value.messages);
  addUsage(run.usage, value.usage);
  run.historyReplaced();
  run.emit(key, { type: 'context_compacted', before: value.before, after: value.after });
  return true;
}

/** One result that alone fills a good part of the context is cut: the notes cannot help there. */
function shortenResult(message: Message, window: number): Message {
  const maxChars = Math.floor(window * KEPT * 0.5 * CHARS_PER_TOKEN);
  if (message.role !== 'tool' || contentChars(message.content) <= maxChars) return message;
  return { ...message, content: shortenContent(message.content, maxChars) };
}

/** Notes by the model; if it fails, a plain list. The conversation goes on either way. */
async function writeNotes(run: RunState, older: readonly Message[], window: number): Promise<{ notes: string; usage: Usage }> {
  const { model } = run.job;
  const request = { system: summarySystem, messages: [summaryRequest(older, Math.floor(window * 0.5 * CHARS_PER_TOKEN))], tools: [] };
  let turn: ModelTurn | undefined;
  try {
    for await (const event of model.stream(request, run.scope.signal)) if (event.type === 'turn') turn = event.turn;
  } catch (error) {
    if (run.scope.signal.aborted || !isModelError(error)) throw error;
  }
  const notes = turn === undefined ? '' : textOf(turn.message).trim();
  return { notes: notes === '' ? plainNotes(older) : notes, usage: turn?.usage ?? { input: 0, output: 0 } };
}

function tokensOf(messages: readonly Message[]): number {
  return messages.reduce((total, message) => total + messageTokens(message), 0);
}
