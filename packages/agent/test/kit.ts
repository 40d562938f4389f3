// What the loop's tests stand on: a dispatcher over plain functions, and helpers that collect a run.
import { type CallContext, type CanonicalAccess, type Dispatcher, type PlannedCall, type Scope, type ToolCall, ToolRegistry, type ToolResult } from '@haft/core';
import { fakeTool } from '@haft/core/testing';
import type { AgentEvent, Message, ModelAdapter, RunResult, ToolMessage } from '../src/index.js';

export interface HandTool {
  scopes?: Scope[];
  idempotent?: boolean;
  verdict?: 'allow' | 'ask' | 'deny';
  accesses?: (values: Record<string, unknown>) => CanonicalAccess[];
  run(values: Record<string, unknown>, context: CallContext, call: ToolCall): unknown;
}

const result = (call: ToolCall, more: Partial<ToolResult>): ToolResult => ({
  callId: call.id, tool: call.name, status: 'success', success: true, content: 'ok', durationMs: 0, queuedMs: 0, retryCount: 0, ...more,
});

const failed = (call: ToolCall, code: string, error: string, status: ToolResult['status'] = 'error'): ToolResult =>
  result(call, { status, success: false, code, error, content: error });

/** A dispatcher that keeps the contract: nothing rejects, a denial and a bad call are results. */
export function handDispatcher(tools: Record<string, HandTool>): Dispatcher {
  const plan: Dispatcher['plan'] = async (call) => {
    const tool = Object.hasOwn(tools, call.name) ? tools[call.name] : undefined;
    if (!tool) return { kind: 'refused', result: failed(call, 'unknown_tool', `There is no tool ${call.name}.`) };
    let values: Record<string, unknown>;
    try {
      values = JSON.parse(call.arguments) as Record<string, unknown>;
    } catch {
      return { kind: 'refused', result: failed(call, 'invalid_arguments', 'The arguments are not JSON.') };
    }
    if (tool.verdict === 'deny') return { kind: 'refused', result: failed(call, 'permission_denied', 'A rule denies it.') };
    return { kind: 'planned', planned: planned(call, tool, values) };
  };
  const execute: Dispatcher['execute'] = async (given, answer, context) => {
    const { call } = given;
    if (given.decision.verdict === 'ask' && answer === undefined) return failed(call, 'approval_unavailable', 'Nobody can be asked.');
    if (answer?.answer === 'deny') return failed(call, 'approval_declined', answer.reason ?? 'The user said no.');
    if (context.signal.aborted) return failed(call, 'cancelled', 'stopped', 'cancelled');
    try {
      const data = await (tools[given.tool] as HandTool).run(given.arguments, context, call);
      return result(call, { data, content: typeof data === 'string' ? data : JSON.stringify(data ?? null) });
    } catch (error) {
      if (context.signal.aborted) return failed(call, 'cancelled', 'stopped', 'cancelled');
      return failed(call, 'execution_failed', (error as Error).message);
    }
  };
  return { plan, execute, dispatch: () => Promise.reject(new Error('the loop plans and executes by itself')) };
}

function planned(call: ToolCall, tool: HandTool, values: Record<string, unknown>): PlannedCall {
  const verdict = tool.verdict ?? 'allow';
  return {
    call, tool: call.name, arguments: values as PlannedCall['arguments'], scopes: tool.scopes ?? ['read'], idempotent: tool.idempotent ?? false,
    accesses: tool.accesses?.(values) ?? [], hash: `${call.name} ${JSON.stringify(values)}`,
    decision: { verdict, reasons: [{ verdict, rule: 'test', source: { kind: 'default', where: 'test' } }], suggestion: [`${call.name}(*)`] },
  };
}

export function registryOf(names: string[]): ToolRegistry {
  const registry = new ToolRegistry();
  for (const name of names) registry.register(fakeTool({ name }), 'test');
  return registry;
}

/** What an agent over these tools is made of. */
export function handMade(model: ModelAdapter, tools: Record<string, HandTool>) {
  return { model, registry: registryOf(Object.keys(tools)), dispatcher: handDispatcher(tools), retry: { baseMs: 1 } };
}

export interface Collected {
  events: AgentEvent[];
  result: RunResult;
}

export async function collect(run: AsyncGenerator<AgentEvent, RunResult>, onEvent?: (event: AgentEvent) => unknown): Promise<Collected> {
  const events: AgentEvent[] = [];
  for (;;) {
    const next = await run.next();
    if (next.done) return { events, result: next.value };
    events.push(next.value);
    await onEvent?.(next.value);
  }
}

export const toolMessages = (messages: readonly Message[]): ToolMessage[] => messages.filter((message) => message.role === 'tool');

export const contentText = (message: ToolMessage): string => message.content.map((part) => (part.type === 'text' ? part.text : `[${part.mediaType}]`)).join('');

export const tick = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
