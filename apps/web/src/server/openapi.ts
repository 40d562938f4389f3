/** OpenAPI 3.1 of this server: the table of routes, and one path for each tool with the tool's own schema. */
import { type JsonSchema, type ToolDefinition, schemaOf } from '@haft/core';
import type { Route } from './routes.js';

export function openApiOf(routes: readonly Route[], tools: readonly ToolDefinition[], url: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method]: operationOf(route) };
  }
  for (const tool of tools) paths[`/api/tools/${tool.name}`] = { post: toolOperation(tool) };
  return {
    openapi: '3.1.0',
    info: { title: 'Haft', version: '1', description: 'An agent and its tools. Every call goes through the same checks as a model\'s own.' },
    servers: [{ url }],
    security: [{ token: [] }],
    paths,
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } }, schemas: { Error: errorSchema } },
  };
}

function operationOf(route: Route): object {
  const names = [...route.path.matchAll(/:(\w+)/g)].map((match) => String(match[1]));
  return {
    summary: route.summary,
    ...(names.length > 0 && { parameters: names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })) }),
    ...(route.body && { requestBody: bodyOf(schemaOf(route.body)) }),
    ...(route.rawBody && { requestBody: bodyOf({ type: 'object' }) }),
    responses: { 200: { description: 'Done', content: { [route.produces ?? 'application/json']: {} } }, default: refusal },
  };
}

function toolOperation(tool: ToolDefinition): object {
  return {
    operationId: tool.name,
    summary: tool.title ?? tool.description.split('\n')[0],
    description: tool.description,
    tags: [tool.plugin ?? 'tools'],
    ...(tool.deprecated !== undefined && { deprecated: true }),
    'x-scopes': tool.scopes,
    requestBody: bodyOf(tool.parameters),
    responses: { 200: { description: 'The result of the call', content: { 'application/json': { schema: resultSchema } } }, default: { description: 'The call was refused or failed', content: { 'application/json': { schema: resultSchema } } } },
  };
}

function bodyOf(schema: JsonSchema): object {
  return { required: true, content: { 'application/json': { schema } } };
}

const errorSchema: JsonSchema = {
  type: 'object',
  properties: { code: { type: 'string' }, message: { type: 'string' }, details: {} },
  required: ['code', 'message'],
};

const refusal = { description: 'Refused', content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } };

const resultSchema: JsonSchema = {
  type: 'object',
  properties: {
    callId: { type: 'string' },
    tool: { type: 'string' },
    status: { type: 'string', enum: ['success', 'error', 'timeout', 'cancelled', 'unknown'] },
    success: { type: 'boolean' },
    code: { type: 'string' },
    data: {},
    content: {},
    error: { type: 'string' },
    durationMs: { type: 'number' },
  },
  required: ['callId', 'tool', 'status', 'success', 'content'],
};
