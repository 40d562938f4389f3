/** The tool through which a model finds tools that are registered but not shown to it (`defer`). */
import type { ToolDefinition } from '../tool/tool.js';
import { tool } from '../tool/define-tool.js';
import type { ToolRegistry } from './tool-registry.js';

export interface FoundTool {
  name: string;
  description: string;
  parameters: ToolDefinition['parameters'];
}

export interface SearchToolsOptions {
  /** Default: `search_tools`. */
  name?: string;
  /** Names that may be found at all, asked at each call; a tool outside is as good as not there. */
  visible?: () => ReadonlySet<string> | undefined;
  /** Told the names that were found, so that the host can offer them from the next turn on. */
  onFound?: (names: readonly string[], sessionId: string) => void;
}

interface SearchArguments {
  query: string;
  limit?: number;
}

/** A definition to list among the tools of a plugin. Finding a tool allows nothing: its calls are decided as any other. */
export function searchTools(registry: ToolRegistry, options: SearchToolsOptions = {}): ToolDefinition {
  const name = options.name ?? 'search_tools';
  const parameters = {
    type: 'object' as const,
    properties: {
      query: { type: 'string' as const, minLength: 1, maxLength: 1000, description: 'What the tool should do, in a few words' },
      limit: { type: 'integer' as const, minimum: 1, maximum: 20, description: 'Most tools to return; default 5' },
    },
    required: ['query'],
    additionalProperties: false,
  };
  const description = 'Finds further tools by what they do. Returns their names, descriptions and parameters; they can be called by name afterwards.';
  const made = tool<SearchArguments>({ name, description, scopes: [], parameters }, ({ query, limit = 5 }, { sessionId }) => {
    const found = registry.shortlist(query, limit + 1, options.visible?.()).filter((entry) => entry.tool.name !== name);
    const tools: FoundTool[] = found.slice(0, limit).map((entry) => ({ name: entry.tool.name, description: entry.tool.description, parameters: entry.tool.parameters }));
    options.onFound?.(tools.map((one) => one.name), sessionId);
    return tools;
  });
  return Object.freeze({ ...made, instantiate: (...given: Parameters<ToolDefinition['instantiate']>) => ({ ...made.instantiate(...given), toModel: describe as (result: unknown) => string }) });
}

function describe(found: FoundTool[]): string {
  if (found.length === 0) return 'No tool fits. Use other words, or go on with the tools you have.';
  return found.map((one) => `${one.name}: ${one.description}\nparameters: ${JSON.stringify(one.parameters)}`).join('\n\n');
}
