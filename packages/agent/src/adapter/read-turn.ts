/** The one way from a vendor's stream to the neutral events: read raw, demand the end, code every failure. */
import { ModelError, type ModelEvent, type ModelTurn } from '../model-adapter.js';
import { type FailureContext, modelFailure } from './model-failure.js';

/** Gathers one answer; made anew for each attempt. */
export interface TurnAccumulator<T> {
  /** What a piece of the stream says to the reader at once. Called for every delta: cheap, and no generator. */
  feed(piece: T): readonly ModelEvent[];
  /** The whole turn. Throws a ModelError when the terminal event has not been seen: half an answer must not run. */
  finish(): ModelTurn;
}

/** Pieces of an answer, those that came together in one list. */
export type Batches<T> = AsyncIterable<readonly T[]> | Iterable<readonly T[]>;

/**
 * Opens the stream, feeds it to the accumulator, and ends with the turn. Rejects with ModelError only.
 * `open` gets a signal of this request alone: SDKs leave their listeners on it, and the caller's lives as long as a run.
 */
export async function* readTurn<T>(open: (signal: AbortSignal) => Promise<Batches<T>>, accumulator: TurnAccumulator<T>, context: FailureContext): AsyncGenerator<ModelEvent, void> {
  const { signal } = context;
  const request = new AbortController();
  const abort = (): void => request.abort(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    signal.throwIfAborted();
    // A plain loop: delegating to the inner generator would cost several promises an event.
    for await (const batch of await open(request.signal)) {
      for (const piece of batch) for (const event of accumulator.feed(piece)) yield event;
    }
    // An SDK's stream ends quietly when the caller aborts it.
    signal.throwIfAborted();
    yield { type: 'turn', turn: accumulator.finish() };
  } catch (error) {
    const failure = modelFailure(error, context);
    throw context.learn?.(failure) ?? failure;
  } finally {
    signal.removeEventListener('abort', abort);
  }
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
