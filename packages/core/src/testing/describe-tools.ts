/** What models are shown of tools, as plain data in a stable order: for snapshots that catch a change of the surface. */
import type { ToolSource } from '../plugin/plugin.js';
import type { JsonSchema } from '../schema/json.js';
import { definitionsOf } from '../tool/define-tool.js';
import type { Scope } from '../tool/tool.js';

export interface DescribedTool {
  name: string;
  description: string;
  scopes: readonly Scope[];
  idempotent: boolean;
  destructive: boolean;
  parameters: JsonSchema;
}

/** By name: `expect(describeTools(plugin.tools)).toMatchSnapshot()`. @throws SetupError for a class that is no tool. */
export function describeTools(sources: readonly ToolSource[]): DescribedTool[] {
  return sources
    .flatMap((source) => definitionsOf(source))
    .map(({ name, description, scopes, idempotent, destructive, parameters }) => ({ name, description, scopes, idempotent, destructive, parameters }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
