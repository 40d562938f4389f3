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
export { type StreamDecoder, type TextFormat, type TextVerdict, decodeText, detectText, encodeText, namedFormat, streamDecoder } from './workspace/text-encoding.js';
export type { WalkEntry, WalkReport, WalkVisitor } from './workspace/tree-walk.js';
export { Workspace } from './workspace/workspace.js';
export { WorkspaceFile } from './workspace/workspace-file.js';
export { quotePath } from './workspace/file-failure.js';
export type { NodeKind } from './workspace/directory.js';
export { forgetLastStat } from './workspace/last-stat.js';
export type { DirectoryEntry, FileInfo, PathResolver, ResolvedPath, WorkspaceOptions, WriteOptions, WriteOutcome } from './workspace/workspace-types.js';
// call
export type { CallLimits, DispatcherOptions } from './call/call-ports.js';
export { createDispatcher } from './call/dispatch.js';
export { maskedArguments } from './call/planned-call.js';
export type { SpillStore } from './call/format-result.js';
export { type FileSpillStore, createSpillStore } from './call/spill-store.js';
// registry
export { ToolRegistry } from './registry/tool-registry.js';
// permission/
export { type FileAuditLog, type AuditLogOptions, createAuditLog } from './permission/audit-log.js';
export { archiveAuditLog } from './permission/audit-log-archive.js';
export { type AuditVerification, type ReadRecord, readAuditLog, verifyAuditLog } from './permission/audit-log-reader.js';
export { type PathSource, createAccessResolver } from './permission/access-resolver.js';
export { type CommandAnalysis, type CommandPart, parseCommand } from './permission/command/parse-command.js';
export { describeSource, explainDecision, readableResource } from './permission/explain.js';
export { type Grant, type RevocableGrantStore, createGrantStore } from './permission/grant-store.js';
export { MemoryAuditLog } from './permission/memory-audit-log.js';
export { type PermissionMode, permissionModes } from './permission/permission-mode.js';
export { type GrantSource, type ListedPolicy, type PolicyOptions, createPolicy } from './permission/permission-policy.js';
export { type RateLimit, type RateLimits, createRateLimiter } from './permission/rate-limiter.js';
export { type ValueRedactor, createRedactor } from './permission/redact.js';
export { type Rule, parseRule } from './permission/rule.js';
export type { RuleEntry, RuleSet, SourcedRule } from './permission/rule-set.js';
export { unmatchedRules } from './permission/unmatched-rules.js';
export { type WideRule, wideRules } from './permission/wide-rules.js';
// tool/ and schema/
export { type FunctionToolOptions, defineTool, definitionsOf, tool } from './tool/define-tool.js';
export { FromContext, Param, type ParamDecorator } from './tool/param.decorator.js';
export { Tool, type ToolDecorator } from './tool/tool.decorator.js';
export { parseAs, schemaOf } from './schema/parser.js';
export { type TypeForm, type TypeSpec, arrayOf, integer, json, literal, nullable, record, tuple, union } from './schema/type-forms.js';
export { type AnthropicTool, toAnthropic } from './schema/dialects/anthropic.js';
export { type GeminiSchema, type GeminiTool, toGemini } from './schema/dialects/gemini.js';
export { type McpTool, toMcp } from './schema/dialects/mcp.js';
export { type OpenAITool, toOpenAI } from './schema/dialects/openai.js';
export { strictnessReasons, toOpenAIStrict } from './schema/dialects/openai-strict.js';
export { type NameAlphabet, type ToolNames, mapToolNames } from './schema/dialects/tool-names.js';
// plugin
export { type PluginFactory, definePlugin } from './plugin/define-plugin.js';
export { Injectable } from './plugin/injectable.js';
export { type PluginManifest, readManifest } from './plugin/manifest.js';
export { PluginHost, type PluginHostOptions, type SessionServices, type WithheldTool } from './plugin/plugin-host.js';
export { Inject } from './plugin/service-container.js';
// orchestration
export { type ChainOptions, type StepsResult, chain } from './orchestration/chain.js';
export type { Compensation } from './orchestration/compensate.js';
export type { Condition } from './orchestration/condition.js';
export { parallel } from './orchestration/parallel.js';
export { plan } from './orchestration/plan.js';
export { type Route, type RouterResult, type RouterSpec, router } from './orchestration/router.js';
export { type OrchestrationResult, isOrchestration, runOrchestration } from './orchestration/run-orchestration.js';
export { type Step, type StepRunner, dispatcherRunner } from './orchestration/step.js';
export { workflows } from './orchestration/workflow-plugin.js';
export { workflowTool } from './orchestration/workflow-tool.js';
export { type FoundTool, type SearchToolsOptions, searchTools } from './registry/search-tools.js';
export type { ShortlistEntry } from './registry/shortlist-index.js';
