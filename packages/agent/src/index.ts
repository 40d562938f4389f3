// The public surface of @haft/agent: named exports only.
export type { AgentEvent, AgentEventBody, AgentEventType, RunStatus } from './events.js';
export type { AssistantMessage, AssistantPart, FinishReason, Message, OpaqueData, ToolCallPart, ToolMessage, Usage, UserMessage } from './messages.js';
export { type ModelAdapter, ModelError, type ModelErrorCode, type ModelErrorOptions, type ModelEvent, type ModelRequest, type ModelTurn, type ToolChoice } from './model-adapter.js';
export type { RunHandle, SessionScope, StepValue } from './session-scope.js';
