/** Tool names and call ids as a provider accepts them: one to one, the same in every request, and mapped back. */
import { type ToolDefinition, mapToolNames } from '@haft/core';
import type { ToolCallPart } from '../messages.js';

/** What OpenAI and Anthropic accept as a tool's name. */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const alphabet = { character: /[a-zA-Z0-9_-]/, maxLength: 64 };

export interface WireNames {
  /** For a registered tool, or for any name that stands in the history. */
  toWire(name: string): string;
  /** The registered name, or the name as the model wrote it. */
  fromWire(name: string): string;
}

const namesOf = new WeakMap<readonly ToolDefinition[], WireNames>();

/** The mapping for one set of tools; computed once per set. A name that is not legal is cleaned and gets a hash, so two never become one. */
export function wireNames(tools: readonly ToolDefinition[]): WireNames {
  const known = namesOf.get(tools);
  if (known !== undefined) return known;
  const back = new Map<string, string>();
  for (const tool of tools) back.set(wireName(tool.name), tool.name);
  const names: WireNames = { toWire: wireName, fromWire: (name) => back.get(name) ?? name };
  namesOf.set(tools, names);
  return names;
}

function wireName(name: string): string {
  return NAME.test(name) ? name : mapToolNames([name], alphabet).toProvider(name);
}

/** What a provider accepts as the id of a call. */
export interface IdRule {
  pattern: RegExp;
  /** Makes a legal id from 13 lowercase letters and digits. */
  mint(hash: string): string;
}

export const anyId: IdRule = { pattern: /^[a-zA-Z0-9_-]{1,40}$/, mint: (hash) => `call_${hash}` };

/** Ids for one request: the provider's own where it is legal and still free, else one made from ours. Depends only on what stands before it. */
export class WireIds {
  private readonly used = new Set<string>();

  constructor(private readonly rule: IdRule) {}

  assign(call: ToolCallPart): string {
    let id = call.providerId === undefined || call.providerId === '' ? call.id : call.providerId;
    if (!this.rule.pattern.test(id)) id = this.rule.mint(hashText(call.id));
    for (let attempt = 1; this.used.has(id); attempt += 1) id = this.rule.mint(hashText(`${call.id}#${attempt}`));
    this.used.add(id);
    return id;
  }
}

/** A stable hash of 13 characters `[a-z0-9]`: FNV-1a over two lanes. Names things; protects nothing. */
export function hashText(text: string): string {
  let low = 0x811c9dc5;
  let high = 0x1000193;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x85ebca6b) ^ (low >>> 13);
  }
  const digits = (lane: number): string => (lane >>> 0).toString(36).padStart(7, '0');
  return (digits(high) + digits(low)).slice(-13);
}
