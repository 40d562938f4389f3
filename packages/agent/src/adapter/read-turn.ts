/** The one way from a vendor's stream to the neutral events: read raw, demand the end, code every failure. */
import { ModelError, type ModelEvent, type ModelTurn } from '../model-adapter.js';
import { type FailureContext, modelFailure } from './model-failure.js';

/** Gathers one answer; made anew for each attempt. */
export interface TurnAccumulator<T> {
  /** What a piece of the stream says to the reader at once. */
  feed(piece: T): Iterable<ModelEvent>;
  /** The whole turn. Throws a ModelError when the terminal event has not been seen: half an answer must not run. */
  finish(): ModelTurn;
}

/** Opens the stream, feeds it to the accumulator, and ends with the turn. Rejects with ModelError only. */
export async function* readTurn<T>(open: () => Promise<AsyncIterable<T>>, accumulator: TurnAccumulator<T>, context: FailureContext): AsyncGenerator<ModelEvent, void> {
  try {
    const stream = await open();
    for await (const piece of stream) yield* accumulator.feed(piece);
    // An SDK's stream ends quietly when the caller aborts it.
    if (context.signal.aborted) throw modelFailure(undefined, context);
    yield { type: 'turn', turn: accumulator.finish() };
  } catch (error) {
    throw modelFailure(error, context);
  }
}

/** A whole answer as a stream of one piece. */
export async function* onePiece<T>(piece: T): AsyncGenerator<T, void> {
  yield await Promise.resolve(piece);
}

/** For an answer that ends without its terminal event. */
export function endedEarly(provider: string, terminal: string, sawAnything: boolean): ModelError {
  const what = sawAnything ? `the answer ended before ${terminal}; it was discarded and nothing of it was run` : 'the answer was empty';
  return new ModelError('network', `${provider}: ${what}.`, { provider, retryable: true });
}

/** For a 200 whose body is no answer of this kind. */
export function noAnswer(provider: string, expected: string): ModelError {
  return new ModelError('protocol', `${provider}: HTTP 200, but the body is no ${expected}. Is the base URL right, and does this server speak this API?`, { provider, retryable: false });
}
