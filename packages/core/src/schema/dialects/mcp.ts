/** The tool of the Model Context Protocol (2025-06-18): canonical schema, and hints made from scopes, where unsure the careful ones. */
import type { JsonSchema } from '../json.js';
import { descriptionOf, oncePerDefinition } from './dialect.js';

export interface McpTool {
  name: string;
  title?: string;
  description: string;
  inputSchema: JsonSchema;
  annotations: { title?: string; readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean };
}

export const toMcp = oncePerDefinition<McpTool>((definition) => {
  const { scopes, title, callsTools = false } = definition;
  return {
    name: definition.name,
    ...(title !== undefined && { title }),
    description: descriptionOf(definition),
    inputSchema: definition.parameters,
    annotations: {
      ...(title !== undefined && { title }),
      readOnlyHint: !callsTools && !definition.destructive && scopes.every((scope) => scope === 'read'),
      destructiveHint: definition.destructive,
      idempotentHint: definition.idempotent,
      openWorldHint: scopes.includes('network') || scopes.includes('dangerous') || callsTools,
    },
  };
});
