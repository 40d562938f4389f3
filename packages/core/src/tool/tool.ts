/** The types of a tool: what an author writes, and the frozen record (`ToolDefinition`) that every surface reads. */
import type { Access, AccessMode, ResourceKind } from '../permission/access.js';
import type { ToolResult } from '../call/tool-call.js';
import type { JsonObject, JsonSchema } from '../schema/json.js';

export type Scope = 'read' | 'write' | 'network' | 'dangerous';

/** A constructor. Parameters are `never` so that any class fits; only the plugin host constructs. */
export type Class<T = unknown> = abstract new (...parameters: never[]) => T;

export interface RetryOptions {
  /** Attempts in all, the first included. */
  attempts: number;
  /** Which kinds of failure are tried again. Default: timeout and network. */
  on?: readonly ('timeout' | 'network' | 'error')[];
  /** First backoff in milliseconds; doubles, with jitter, up to `maxMs`. */
  baseMs?: number;
  maxMs?: number;
}

export interface RateLimitOptions {
  max: number;
  perMs: number;
  by?: 'session' | 'user' | 'tool';
}

export interface ToolOptions {
  /** Default: snake_case of the class or method. `[a-z][a-z0-9_]{0,63}`. */
  name?: string;
  description?: string;
  title?: string;
  tags?: readonly string[];
  /** Never assumed: a tool without scopes is a SetupError. `[]` says "touches nothing". */
  scopes?: readonly Scope[];
  timeoutMs?: number;
  maxOutputChars?: number;
  retry?: RetryOptions;
  /** Running it twice does no more than once. Default: true for a tool that only reads and calls no other. */
  idempotent?: boolean;
  /** It may change or remove what is there. Default: false for a tool that only reads and calls no other, else true: say false where it only adds. */
  destructive?: boolean;
  /** It calls other tools (`context.call`), which are decided and audited as its own calls: it is never shown as one that only reads. */
  callsTools?: boolean;
  /** Most calls of this tool at once; `exclusive` runs alone in its dispatcher. */
  concurrency?: number | 'exclusive';
  rateLimit?: RateLimitOptions;
  cost?: number;
  /** Always ask before running, whatever the rules allow. */
  confirm?: boolean;
  /** Not shown to the model until `search_tools` finds it. */
  defer?: boolean;
  capability?: string;
  /** Name of the tool to run instead when this one's circuit is open. */
  degradeTo?: string;
  examples?: readonly object[];
  deprecated?: string;
  strict?: boolean;
}

export interface ParamOptions<V = unknown> {
  description?: string;
  name?: string;
  optional?: boolean;
  default?: V;
  /** In JSON form, as a model would write them; checked against the schema at registration. */
  examples?: readonly unknown[];
  deprecated?: boolean;
  /** Called late, so that a class may name itself or one declared further down. See `TypeSpec`. */
  type?: () => unknown;
  enum?: object | readonly (string | number)[];
  oneOf?: () => readonly Class[];
  discriminator?: string;
  kind?: ResourceKind;
  access?: AccessMode;
  /** Redacted in logs, audit and approvals. */
  sensitive?: boolean;
}

export type ContentPart =
  | { type: 'text'; text: string }
  /** `data` is base64. */
  | { type: 'image'; mediaType: string; data: string };

export type Progress = string | { done: number; total?: number; note?: string };

/** What an approval shows: plain text, or a unified diff. */
export interface Preview {
  title?: string;
  text?: string;
  diff?: string;
}

export interface Logger {
  debug(message: string, fields?: object): void;
  info(message: string, fields?: object): void;
  warn(message: string, fields?: object): void;
  error(message: string, fields?: object): void;
}

export interface ToolContext {
  readonly signal: AbortSignal;
  readonly callId: string;
  readonly sessionId: string;
  /** Same for every attempt of one call, also after a crash. */
  readonly idempotencyKey: string;
  progress(update: Progress): void;
  /** Live text of a running call, e.g. a command's output. */
  output(chunk: string): void;
  /** Calls another tool through the dispatcher, under the same policy. */
  call(tool: Class | string, args: object): Promise<ToolResult>;
  /** Takes back a call that this one made: calls the tool's undo(). Resolves with false where there is nothing to undo. */
  undo?(result: ToolResult): Promise<boolean>;
  readonly log: Logger;
}

/** What a tool class implements. Only `execute` is required. */
export interface ToolHandler<R = unknown> {
  execute(context: ToolContext): R | Promise<R> | AsyncGenerator<Progress, R>;
  /** A business rule, before approval: the reason for refusing, or undefined. */
  check?(context: ToolContext): string | undefined | Promise<string | undefined>;
  /** The resources that this call touches, beyond typed parameters. */
  access?(): Access[];
  /** What approval shows. Must have no side effect. */
  preview?(context: ToolContext): string | Preview | Promise<string | Preview>;
  undo?(result: R, context: ToolContext): void | Promise<void>;
  /** What the model reads in place of the formatted result. */
  toModel?(result: R): string | ContentPart[];
}

/** One thing wrong with one argument. */
export interface Issue {
  /** Dotted path, e.g. `edits.0.old_text`; empty for the whole. */
  path: string;
  /** The rule's name: a JSON Schema keyword or a class-validator rule, e.g. `minimum`, `type`, `unknown`. */
  rule: string;
  /** A sentence for the model that names field, rule and what was received. */
  message: string;
  /** The received value, shortened, as JSON text. */
  received?: string;
}

export type ParseOutcome =
  | { ok: true; value: Record<string, unknown>; json: JsonObject }
  | { ok: false; issues: Issue[] };

/** A parameter that says what its value is; containment, locks, approvals and redaction come from it. */
export interface ParamResource {
  /** Property path in the parsed arguments, `*` for array items: `path`, `files.*.path`. */
  path: string;
  kind: ResourceKind;
  access: AccessMode;
}

/** Makes instances with their services: a view on one container of the plugin host. */
export interface ServiceProvider {
  /** Whether `get` would find it. */
  has?(id: Class | string | symbol): boolean;
  get<T>(id: Class<T> | string | symbol): T;
  /** A fresh instance with its constructor's services; never cached. */
  create<T>(target: Class<T>): T;
}

export interface ToolDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** The plugin that brought the tool; set at registration. */
  readonly plugin?: string;
  readonly tags: readonly string[];
  readonly scopes: readonly Scope[];
  readonly timeoutMs?: number;
  readonly maxOutputChars?: number;
  readonly retry?: RetryOptions;
  readonly idempotent: boolean;
  readonly destructive: boolean;
  readonly callsTools?: boolean;
  readonly concurrency?: number | 'exclusive';
  readonly rateLimit?: RateLimitOptions;
  readonly cost: number;
  readonly confirm: boolean;
  readonly defer: boolean;
  readonly capability?: string;
  readonly degradeTo?: string;
  readonly examples: readonly JsonObject[];
  readonly deprecated?: string;
  readonly strict?: boolean;
  /** Canonical JSON Schema 2020-12 of the arguments: `{type: 'object', properties, required, additionalProperties: false}`. Frozen. */
  readonly parameters: JsonSchema;
  readonly resources: readonly ParamResource[];
  /** Dotted paths of parameters marked `sensitive` or of kind `secret`. */
  readonly sensitive: readonly string[];
  /** Checks, coerces and builds in one pass; reports every issue. Accepts its own `json` output unchanged. */
  readonly parse: (input: unknown) => ParseOutcome;
  /** class-validator rules that JSON Schema cannot say; undefined when there are none. */
  readonly rules?: (value: Record<string, unknown>) => Promise<Issue[]>;
  /** A fresh handler for one call: the instance with validated arguments assigned. */
  readonly instantiate: (value: Record<string, unknown>, services: ServiceProvider, context: InjectedValues) => ToolHandler;
  /** What the container must be able to make, checked at registration. */
  readonly target?: Class;
}

/** Values for fields marked `@FromContext(name)`, by name. */
export type InjectedValues = Readonly<Record<string, unknown>>;
