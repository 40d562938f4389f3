// The typed form of agent.config.ts: tool names flow from the plugins into the rules and limits.
import type { Plugin } from '@haft/core';

/** The tools that a list of plugins brings. */
export type ToolNames<Plugins extends readonly unknown[]> = Plugins[number] extends infer Member
  ? Member extends Plugin<infer Names>
    ? Names
    : never
  : never;

/** `TOOL`, `TOOL(PATTERN)`, a glob over tool names, or `scope:write`, `scope:network(host:*.example.org)`. */
export type RuleText<Names extends string> =
  | Names
  | `${Names}(${string})`
  | `*${string}`
  | `${string}*`
  | `${string}*(${string})`
  | `scope:${'read' | 'write' | 'network' | 'dangerous'}`
  | `scope:${'read' | 'write' | 'network' | 'dangerous'}(${string})`;

export type PermissionMode = 'read-only' | 'ask' | 'auto-edit' | 'unattended';

export interface PermissionConfig<Names extends string> {
  /** Default: `ask`. */
  mode?: PermissionMode;
  allow?: readonly RuleText<NoInfer<Names>>[];
  ask?: readonly RuleText<NoInfer<Names>>[];
  deny?: readonly RuleText<NoInfer<Names>>[];
}

/** `max` calls at once, refilled evenly over `perMs` milliseconds. */
export interface RateConfig {
  max: number;
  perMs: number;
}

/** How often calls may be made, each in every session but `user`. */
export interface RatesConfig<Names extends string> {
  tools?: { readonly [Name in Names]?: RateConfig };
  scopes?: { readonly [Scope in 'read' | 'write' | 'network' | 'dangerous']?: RateConfig };
  session?: RateConfig;
  /** Over all sessions of the user in this process. */
  user?: RateConfig;
}

export interface LimitConfig<Names extends string = string> {
  /** Model turns of one run. */
  maxTurns?: number;
  /** Tool calls that run at once. */
  maxParallelCalls?: number;
  /** Most that one run may cost, in US dollars as the provider's prices say. */
  maxCost?: number;
  /** Wall-clock milliseconds of one run. */
  maxRunMs?: number;
  /** Default time-out of a tool in milliseconds. */
  toolTimeoutMs?: number;
  /** Default characters of a result that the model reads. */
  maxOutputChars?: number;
  rates?: RatesConfig<NoInfer<Names>>;
}

export interface WorkspaceConfig {
  /** More folders that tools may use, absolute or relative to the config file. */
  extraRoots?: readonly { path: string; access: 'read' | 'write' }[];
  /** Glob patterns that nothing may touch. */
  deny?: readonly string[];
  /** Glob patterns that may be read but not written. */
  readOnly?: readonly string[];
}

/** What an agent.config.ts exports by default. */
export interface AgentConfig<Plugins extends readonly unknown[] = readonly Plugin[]> {
  /** Display name of the agent. */
  name?: string;
  /** `provider:model`, e.g. `anthropic:claude-sonnet-4-5`; `offline` needs nothing. */
  model?: string;
  /** Address of an OpenAI- or Anthropic-compatible server. */
  baseURL?: string;
  /** Added to the system prompt. */
  instructions?: string;
  plugins?: Plugins;
  /** Only these tools are offered to the model. */
  tools?: readonly NoInfer<ToolNames<Plugins>>[];
  permissions?: PermissionConfig<ToolNames<Plugins>>;
  limits?: LimitConfig<ToolNames<Plugins>>;
  workspace?: WorkspaceConfig;
}

/** Gives an agent.config.ts its types; returns the configuration as it is. Values are checked when the command reads it. */
export function defineConfig<const Plugins extends readonly Plugin[] = readonly Plugin[]>(config: AgentConfig<Plugins>): AgentConfig<Plugins> {
  return config;
}
