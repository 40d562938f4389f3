/** The plan stop, in the order in which it runs: find, parse, validate, decide. Each step takes what the step before returns, or throws ToolFailure. */
import type { CanonicalAccess } from '../permission/access.js';
import type { Issue, ParseOutcome, Preview, ToolDefinition, ToolHandler } from '../tool/tool.js';
import type { CallPorts } from './call-ports.js';
import { jsonData } from './json-data.js';
import { parseArguments } from './parse-arguments.js';
import { decide, resolveAccesses, statesAccess, takeRate } from './permission-gate.js';
import { Plan } from './planned-call.js';
import { WrongArguments, refusal, sentences } from './refusal.js';
import { type NestedCaller, RunContext } from './run-context.js';
import { type RunLimits, guardStep } from './run-tool.js';
import type { CallContext, ToolCall } from './tool-call.js';

export interface PlanOptions {
  caller: NestedCaller;
  /** A plan that is made again for an answer that was already given takes no second place in the rate limit. */
  again?: boolean;
}

/** A call whose arguments are found to be right. */
interface Draft {
  call: ToolCall;
  tool: ToolDefinition;
  parsed: Extract<ParseOutcome, { ok: true }>;
  context: CallContext;
}

const noAccesses = Object.freeze([]) as unknown as CanonicalAccess[];

/**
 * Without a promise where nothing has to be waited for. Wrong arguments are returned, all other refusals thrown.
 * @throws ToolFailure with the code of the step that refused.
 */
export function planCall(call: ToolCall, context: CallContext, ports: CallPorts, options: PlanOptions): Plan | WrongArguments | Promise<Plan> {
  if (context.signal.aborted) throw refusal('cancelled', 'The call was cancelled before it was planned.');
  const tool = findTool(call.name, context, ports);
  const input = parseArguments(call.arguments, ports.limits.maxArgumentChars);
  const parsed = tool.parse(input);
  if (!parsed.ok) return new WrongArguments(parsed.issues);
  const draft: Draft = { call, tool, parsed, context };
  if (tool.rules || tool.resources.length > 0 || ports.rateLimiter) return planInSteps(draft, undefined, ports, options);
  const handler = instantiate(draft);
  if (handler.check ?? handler.access ?? handler.preview) return planInSteps(draft, handler, ports, options);
  return makePlan(draft, handler, noAccesses, decide(tool, noAccesses, context, ports));
}

async function planInSteps(draft: Draft, made: ToolHandler | undefined, ports: CallPorts, options: PlanOptions): Promise<Plan> {
  const { call, tool, parsed, context } = draft;
  if (tool.rules) refuseBrokenRules(await tool.rules(parsed.value));
  const handler = made ?? instantiate(draft);
  const run = new RunContext(call, context, context.log ?? ports.log, options.caller);
  if (handler.check) await checkBusinessRule(tool, handler, run, context, ports);
  const accesses = statesAccess(tool, handler) ? await guardStep(() => resolveAccesses(tool, parsed.value, handler, ports), run, stepLimits(tool, context, ports)) : [];
  const decision = decide(tool, accesses, context, ports);
  if (ports.rateLimiter && !options.again) await takeRate(tool, context, ports);
  const preview = decision.verdict === 'ask' && handler.preview ? await previewOf(handler, run, context, ports) : undefined;
  return makePlan(draft, handler, accesses, decision, preview);
}

function makePlan({ call, tool, parsed, context }: Draft, handler: ToolHandler, accesses: CanonicalAccess[], decision: Plan['decision'], preview?: Preview): Plan {
  return new Plan(call, { tool, text: call.arguments, parsed, handler, services: context.services, sessionId: context.sessionId }, accesses, decision, preview);
}

function instantiate({ tool, parsed, context }: Draft): ToolHandler {
  return tool.instantiate(parsed.value, context.services, context.injected ?? noValues);
}

const noValues = Object.freeze({});

function findTool(name: string, context: CallContext, ports: CallPorts): ToolDefinition {
  if (typeof name !== 'string') throw refusal('unknown_tool', 'The call names no tool.');
  const visible = context.visibleTools;
  const tool = ports.registry.get(name);
  if (tool && (!visible || visible.has(tool.name))) return tool;
  const near = ports.registry.near(name, visible);
  if (near.length > 0) throw refusal('unknown_tool', `There is no tool ${JSON.stringify(name)}. Did you mean ${near.join(' or ')}?`);
  const offered = visible ? [...visible] : ports.registry.list().map((definition) => definition.name);
  const shown = offered.slice(0, 20).join(', ');
  const more = offered.length > 20 ? ` and ${offered.length - 20} more` : '';
  throw refusal('unknown_tool', `There is no tool ${JSON.stringify(name.slice(0, 80))}. ${shown === '' ? 'No tools are offered here.' : `There are: ${shown}${more}.`}`);
}

function refuseBrokenRules(issues: Issue[]): void {
  if (issues.length > 0) throw refusal('rule_violated', sentences(issues), { details: issues });
}

function stepLimits(tool: ToolDefinition, context: CallContext, ports: CallPorts): RunLimits {
  return { timeoutMs: tool.timeoutMs ?? ports.limits.timeoutMs, signal: context.signal };
}

async function checkBusinessRule(tool: ToolDefinition, handler: ToolHandler, run: RunContext, context: CallContext, ports: CallPorts): Promise<void> {
  const reason = await guardStep(() => handler.check?.(run), run, stepLimits(tool, context, ports));
  if (typeof reason === 'string') throw refusal('rule_violated', reason === '' ? 'The tool refused these arguments.' : reason);
}

/** A preview that fails is left out: it must not decide whether the call can be approved. */
async function previewOf(handler: ToolHandler, run: RunContext, context: CallContext, ports: CallPorts): Promise<Preview | undefined> {
  try {
    const shown = await guardStep(() => handler.preview?.(run), run, { timeoutMs: ports.limits.timeoutMs, signal: context.signal });
    return typeof shown === 'string' ? { text: shown } : (jsonData(shown) as Preview | undefined);
  } catch (error) {
    run.log.warn('preview() failed', { callId: run.callId, error: error instanceof Error ? error.stack : String(error) });
    return undefined;
  }
}
