/** The plan of one call as data, and what this process keeps beside it: the validated instance that will run. */
import type { CanonicalAccess } from '../permission/access.js';
import type { Decision } from '../permission/decision.js';
import type { JsonObject } from '../schema/json.js';
import type { Preview, Scope, ServiceProvider, ToolDefinition, ToolHandler } from '../tool/tool.js';
import { canonicalHash } from './canonical-json.js';
import type { CallContext, PlannedCall, ToolCall } from './tool-call.js';

/** The live half of a plan; absent when a plan comes back from JSON. */
export interface Prepared {
  tool: ToolDefinition;
  value: Record<string, unknown>;
  handler: ToolHandler;
  /** Whose services and values the instance was made with. */
  services: ServiceProvider;
  sessionId: string;
}

export interface PlanParts {
  call: ToolCall;
  json: JsonObject;
  accesses: CanonicalAccess[];
  decision: Decision;
  preview?: Preview | undefined;
}

/** Serialises as the plain record. The hash is computed when someone looks at it: most calls are never asked for. */
export class Plan implements PlannedCall {
  readonly call: ToolCall;
  readonly tool: string;
  readonly plugin?: string;
  readonly arguments: JsonObject;
  readonly scopes: Scope[];
  readonly idempotent: boolean;
  readonly accesses: CanonicalAccess[];
  readonly decision: Decision;
  readonly preview?: Preview;
  #hash: string | undefined;
  #prepared: Prepared | undefined;

  constructor(parts: PlanParts, prepared: Prepared) {
    this.call = parts.call;
    this.tool = prepared.tool.name;
    if (prepared.tool.plugin !== undefined) this.plugin = prepared.tool.plugin;
    this.arguments = parts.json;
    this.scopes = prepared.tool.scopes as Scope[];
    this.idempotent = prepared.tool.idempotent;
    this.accesses = parts.accesses;
    this.decision = parts.decision;
    if (parts.preview) this.preview = parts.preview;
    this.#prepared = prepared;
    // What is asked is bound now: what a caller later changes in the record is no longer what was asked.
    if (parts.decision.verdict === 'ask') this.#hash = hashOf(this);
  }

  get hash(): string {
    this.#hash ??= hashOf(this);
    return this.#hash;
  }

  toJSON(): PlannedCall {
    return Object.assign({} as PlannedCall, this, { hash: this.hash });
  }

  /** The live half, once, and only for the session and container that it was made for. */
  static take(planned: PlannedCall, context: CallContext): Prepared | undefined {
    if (!(planned instanceof Plan)) return undefined;
    const prepared = planned.#prepared;
    planned.#prepared = undefined;
    if (planned.#hash !== undefined && planned.#hash !== hashOf(planned)) return undefined;
    return prepared?.services === context.services && prepared.sessionId === context.sessionId ? prepared : undefined;
  }
}

/** What an approval is bound to: the tool, its arguments and the resources they name. */
function hashOf(planned: Pick<PlannedCall, 'tool' | 'arguments' | 'accesses'>): string {
  return canonicalHash({ tool: planned.tool, arguments: planned.arguments, accesses: planned.accesses });
}

/** A copy of the arguments in which the values at the tool's sensitive paths are masked: for approval, audit and logs. */
export function maskedArguments(tool: ToolDefinition | undefined, json: JsonObject): JsonObject {
  if (!tool || tool.sensitive.length === 0) return json;
  const copy = structuredClone(json);
  for (const path of tool.sensitive) mask(copy, path.split('.'));
  return copy;
}

function mask(target: unknown, path: readonly string[]): void {
  const [key, ...rest] = path;
  if (key === undefined || typeof target !== 'object' || target === null) return;
  const holder = target as Record<string, unknown>;
  for (const name of key === '*' ? Object.keys(holder) : [key]) {
    if (!Object.hasOwn(holder, name)) continue;
    if (rest.length === 0) holder[name] = '[sensitive]';
    else mask(holder[name], rest);
  }
}
