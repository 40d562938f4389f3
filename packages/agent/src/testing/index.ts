// The public surface of @haft/agent/testing: named exports only.
export type { Delivery, Fault, Script, ScriptedCall, ScriptedRequest, ScriptedTurn } from './script.js';
export { type CollectedTurn, collectTurn } from './collect-turn.js';
export { type ModelServer, type RecordedRequest, startModelServer } from './model-server.js';
export { type ScriptedModel, scriptedModel } from './scripted-model.js';
export { type Cassette, type Interaction, loadCassette, saveCassette } from './cassette/cassette.js';
export { type Recorder, type RecorderOptions, startRecorder } from './cassette/record.js';
export { type Replay, type ReplayOptions, startReplay } from './cassette/replay.js';
