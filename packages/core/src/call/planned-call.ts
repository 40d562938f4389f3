/** The plan of one call as data, and what this process keeps beside it: the validated instance that will run. */
import type { CanonicalAccess } from '../permission/access.js';
import type { Decision } from '../permission/decision.js';
import type { JsonObject } from '../schema/json.js';
import type { ParseOutcome, Preview, Scope, ServiceProvider, ToolDefinition, ToolHandler } from '../tool/tool.js';
import { canonicalHash } from './canonical-json.js';
import { parseArguments } from './parse-arguments.js';
import { refusal } from './refusal.js';
import type { CallContext, PlannedCall, ToolCall } from './tool-call.js';

/** The live half of a plan; absent when a plan comes back from JSON. */
export interface Prepared {
  tool: ToolDefinition;
  /** The arguments as they were read: what a further attempt is made from, whatever becomes of the record. */
  text: string;
  parsed: Extract<ParseOutcome, { ok: true }>;
  handler: ToolHandler;
  /** Whose services and values the instance was made with. */
  services: ServiceProvider;
  sessionId: string;
}

/** Serialises as the plain record. Its arguments in JSON form and its hash are made when someone looks at them: few calls are asked for. */
export class Plan implements PlannedCall {
  readonly tool: string;
  readonly plugin?: string;
  readonly scopes: Scope[];
  readonly idempotent: boolean;
  readonly preview?: Preview;
  #arguments: JsonObject | undefined;
  #hash: string | undefined;
  #prepared: Prepared | undefined;
  readonly #definition: ToolDefinition;
  readonly #text: string;

  constructor(
    readonly call: ToolCall,
    prepared: Prepared,
    readonly accesses: CanonicalAccess[],
    readonly decision: Decision,
    preview?: Preview,
  ) {
    this.#definition = prepared.tool;
    this.#text = prepared.text;
    this.tool = prepared.tool.name;
    if (prepared.tool.plugin !== undefined) this.plugin = prepared.tool.plugin;
    this.scopes = prepared.tool.scopes as Scope[];
    this.idempotent = prepared.tool.idempotent;
    if (preview) this.preview = preview;
    this.#prepared = prepared;
    // What is asked is bound now: what a caller later changes in the record is no longer what was asked.
    if (decision.verdict === 'ask') this.#hash = hashOf(this);
  }

  /** Once the tool has the parsed values it may change them, so from then on they are read from the text again. */
  get arguments(): JsonObject {
    this.#arguments ??= (this.#prepared?.parsed ?? parseAgain(this.#definition, this.#text)).json;
    return this.#arguments;
  }

  get hash(): string {
    this.#hash ??= hashOf(this);
    return this.#hash;
  }

  toJSON(): PlannedCall {
    return Object.assign({} as PlannedCall, this, { arguments: this.arguments, hash: this.hash });
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

/** Arguments that were found to be right before. @throws ToolFailure `invalid_arguments` for a tool that does not accept them twice. */
export function parseAgain(tool: ToolDefinition, text: string): Prepared['parsed'] {
  const outcome = tool.parse(parseArguments(text, Infinity));
  if (outcome.ok) return outcome;
  throw refusal('invalid_arguments', 'The arguments were accepted before and are not now.', { details: outcome.issues });
}

/** What an approval is bound to: the tool and what it may do, its arguments, and the resources they name. */
function hashOf(planned: Pick<PlannedCall, 'tool' | 'scopes' | 'arguments' | 'accesses'>): string {
  return canonicalHash({ tool: planned.tool, scopes: planned.scopes, arguments: planned.arguments, accesses: planned.accesses });
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
