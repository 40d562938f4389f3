// The public surface of @haft/agent: named exports only.
export type { AgentHost, AgentInput, AgentOptions, RunOptions, ToolCatalog } from './agent-options.js';
export { Agent, createAgent } from './agent.js';
export { type CallWithToolsOptions, callWithTools } from './call-with-tools.js';
export type { AgentEngine, RunStart } from './engine/engine.js';
export { InProcessEngine } from './engine/in-process-engine.js';
export type { AgentEvent, AgentEventBody, AgentEventType, RunStatus } from './events.js';
export { type Repair, repairHistory } from './loop/repair-history.js';
export { type RetryPolicy, defaultRetryPolicy } from './loop/retry-policy.js';
export type { OutputCheck, RunJob, RunLimits } from './loop/run-job.js';
export { runLoop } from './loop/run-loop.js';
export type { AssistantMessage, AssistantPart, FinishReason, Message, OpaqueData, ToolCallPart, ToolMessage, Usage, UserMessage } from './messages.js';
export { type ModelAdapter, ModelError, type ModelErrorCode, type ModelErrorOptions, type ModelEvent, type ModelRequest, type ModelTurn, type ToolChoice } from './model-adapter.js';
export type { RunError, RunResult } from './run-result.js';
export { type AgentSession, type RunBegin, type RunEnd, type UnfinishedRun, memorySession } from './session/agent-session.js';
export type { RunHandle, SessionScope, StepValue } from './session-scope.js';
// What adapters share.
export { argumentsObject, argumentsText } from './adapter/call-arguments.js';
export { type ImagePart, imagesOf, resultText, textOf } from './adapter/content.js';
export { type TransportLimits, guardedFetch, transportLimits } from './adapter/guarded-fetch.js';
export { type FailureContext, modelFailure } from './adapter/model-failure.js';
export { type PairedHistory, type PairedItem, pairHistory } from './adapter/pairing.js';
export { type TurnAccumulator, endedEarly, noAnswer, onePiece, readTurn } from './adapter/read-turn.js';
export { WireCache } from './adapter/wire-cache.js';
export { type IdRule, WireIds, type WireNames, anyId, hashText, wireNames } from './adapter/wire-names.js';
