/** Each tool as an HTTP call, through the dispatcher: nobody can be asked here, so what must be asked is refused. */
import { randomUUID } from 'node:crypto';
import { type ToolDefinition, type ToolResult, isRetryableCode, toMcp } from '@haft/core';
import { WebError } from './web-error.js';
import type { WebHost } from './web-host.js';

/** Codes that have an HTTP status of their own; every other failure of a tool is 422: understood, and not done. */
const statusOfCode: Readonly<Record<string, number>> = {
  unknown_tool: 404,
  invalid_arguments: 400,
  rule_violated: 400,
  permission_denied: 403,
  path_outside_workspace: 403,
  approval_unavailable: 403,
  approval_declined: 403,
  rate_limited: 429,
  budget_exceeded: 429,
  timeout: 504,
};

export class ToolApi {
  constructor(private readonly host: WebHost) {}

  list(): Response {
    return Response.json({ tools: this.host.tools.map(describe) });
  }

  /** Runs until it ends or the caller leaves. The body of the answer is the ToolResult. */
  async call(name: string, argumentsText: string, signal: AbortSignal): Promise<Response> {
    if (!this.host.tools.some((tool) => tool.name === name)) throw new WebError(404, 'unknown_tool', `There is no tool ${JSON.stringify(name.slice(0, 80))}; GET /api/tools lists them.`);
    const sessionId = `http-${randomUUID()}`;
    const services = this.host.openServices(sessionId);
    try {
      const visibleTools = new Set(this.host.tools.map((tool) => tool.name));
      const result = await this.host.dispatcher.dispatch({ id: sessionId, name, arguments: argumentsText }, { sessionId, signal, services, visibleTools });
      return toolResponse(result);
    } finally {
      await services.dispose();
    }
  }
}

function toolResponse(result: ToolResult): Response {
  if (result.success) return Response.json(result);
  const code = result.code ?? '';
  return Response.json(result, { status: statusOfCode[code] ?? (isRetryableCode(code) ? 503 : 422) });
}

function describe(tool: ToolDefinition): object {
  return { ...toMcp(tool), scopes: tool.scopes, ...(tool.plugin === undefined ? {} : { plugin: tool.plugin }) };
}
