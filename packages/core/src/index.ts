// The public surface of @haft/core: named exports only.
export type { CallContext, CallEvent, Dispatcher, PlanOutcome, PlannedCall, ToolCall, ToolResult, ToolStatus, Truncation } from './call/tool-call.js';
export { type ErrorCode, type KnownErrorCode, SetupError, ToolFailure, type ToolFailureOptions, errorCodes, isRetryableCode } from './errors.js';
export type { Access, AccessMode, CanonicalAccess, ResourceKind } from './permission/access.js';
export type { ApprovalAnswer, ApprovalRequest, Approver } from './permission/approval.js';
export type { Decision, DecisionReason, RuleSource, RuleSourceKind, Verdict } from './permission/decision.js';
export type { AccessResolver, AuditLog, AuditRecord, AuditedResult, GrantStore, PermissionPolicy, PolicyQuery, RateLimiter, RateVerdict, Redactor } from './permission/ports.js';
export type { Plugin, PluginContext, PluginSpec, ServiceId, ServiceRecipe, ServiceScope, ToolSource } from './plugin/plugin.js';
export type { Json, JsonObject, JsonSchema, JsonSchemaType } from './schema/json.js';
export type { Class, ContentPart, InjectedValues, Issue, Logger, ParamOptions, ParamResource, ParseOutcome, Preview, Progress, RateLimitOptions, RetryOptions, Scope, ServiceProvider, ToolContext, ToolDefinition, ToolHandler, ToolOptions } from './tool/tool.js';
export { type Glob, type GlobOptions, compileGlob } from './workspace/glob-pattern.js';
export { Workspace } from './workspace/workspace.js';
export { WorkspaceFile } from './workspace/workspace-file.js';
export { quotePath } from './workspace/file-failure.js';
export type { DirectoryEntry, FileInfo, PathResolver, ResolvedPath, WorkspaceOptions, WriteOptions, WriteOutcome } from './workspace/workspace-types.js';
// call
export type { CallLimits, DispatcherOptions } from './call/call-ports.js';
export { createDispatcher } from './call/dispatch.js';
export type { SpillStore } from './call/format-result.js';
// registry
export { ToolRegistry } from './registry/tool-registry.js';
