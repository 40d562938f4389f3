/** Which tools the model is shown: the same array as long as nothing changed, so that adapters can keep its wire form. */
import { type ToolDefinition, type ToolRegistry, type ToolResult, searchTools } from '@haft/core';

const SEARCH = 'search_tools';

export class VisibleTools {
  private readonly found = new Set<string>();
  private shown: readonly ToolDefinition[] = [];
  private from: readonly ToolDefinition[] | undefined;

  /** `names`: exactly these. Without them, all that are not deferred, a tool to find the deferred ones, and what it has found. */
  constructor(
    private readonly registry: ToolRegistry,
    private readonly names: readonly string[] | undefined,
  ) {
    if (names === undefined && registry.get(SEARCH) === undefined && registry.list().some((tool) => tool.defer)) registry.register(searchTools(registry), 'haft');
  }

  list(): readonly ToolDefinition[] {
    const from = this.registry.list();
    if (this.from === from) return this.shown;
    this.from = from;
    const visible = from.filter((tool) => this.isVisible(tool));
    const same = this.shown.length === visible.length && visible.every((tool, index) => tool === this.shown[index]);
    if (!same) this.shown = visible;
    return this.shown;
  }

  /** Shows what a search has found from the next request on. */
  noteResult(result: ToolResult): void {
    if (result.tool !== SEARCH || !result.success || !Array.isArray(result.data)) return;
    for (const { name } of result.data as { name: string }[]) this.found.add(name);
    this.from = undefined;
  }

  private isVisible(tool: ToolDefinition): boolean {
    if (this.names !== undefined) return this.names.includes(tool.name);
    return !tool.defer || this.found.has(tool.name);
  }
}
