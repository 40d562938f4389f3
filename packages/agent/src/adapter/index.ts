// The public surface of @haft/agent/adapter, what adapters of models share: named exports only.
export { argumentsObject, argumentsText } from './call-arguments.js';
export { type Access as ProviderAccess, checkAccess } from './check-access.js';
export { type ImagePart, imagesOf, resultText, textOf } from './content.js';
export { eventBatches } from './event-stream.js';
export { type TransportLimits, guardedFetch, transportLimits } from './guarded-fetch.js';
export { joinJson, jsonHeaders, keptJson, keptJsonList } from './kept-json.js';
export { AnsweredError, type FailureContext, modelFailure } from './model-failure.js';
export { type PairedHistory, type PairedItem, pairHistory } from './pairing.js';
export { type Batches, type TurnAccumulator, endedEarly, noAnswer, readTurn } from './read-turn.js';
export { Vision } from './vision.js';
export { WireCache } from './wire-cache.js';
export { type IdRule, WireIds, type WireNames, anyId, hashText, wireNames } from './wire-names.js';
