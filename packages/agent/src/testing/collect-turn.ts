/** One request of an adapter, collected: for tests of adapters and of recordings. */
import type { ModelAdapter, ModelRequest, ModelTurn } from '../model-adapter.js';

export interface CollectedTurn extends ModelTurn {
  /** The deltas joined: what a reader of the stream saw. */
  shownText: string;
  shownReasoning: string;
}

/** Reads one answer to its end. Rejects with the adapter's ModelError, or when the answer had no turn or more than one. */
export async function collectTurn(model: ModelAdapter, request: Partial<ModelRequest>, signal: AbortSignal = new AbortController().signal): Promise<CollectedTurn> {
  const turns: ModelTurn[] = [];
  let shownText = '';
  let shownReasoning = '';
  for await (const event of model.stream({ messages: [], tools: [], ...request }, signal)) {
    if (event.type === 'text_delta') shownText += event.text;
    else if (event.type === 'reasoning_delta') shownReasoning += event.text;
    else turns.push(event.turn);
  }
  const [turn] = turns;
  if (turn === undefined || turns.length > 1) throw new Error(`an answer has one turn, this one had ${turns.length}`);
  return { ...turn, shownText, shownReasoning };
}
