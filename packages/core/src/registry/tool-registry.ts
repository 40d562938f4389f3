/** What tools there are: filled by the plugin host, read by every surface. Nothing registers itself by being imported. */
import { SetupError } from '../errors.js';
import type { ToolDefinition } from '../tool/tool.js';
import { nearNames } from './near-names.js';
import { type ShortlistEntry, ShortlistIndex } from './shortlist-index.js';

const namePattern = /^[a-z][a-z0-9_]{0,63}$/;

export class ToolRegistry {
  readonly #tools = new Map<string, ToolDefinition>();
  readonly #folded = new Map<string, ToolDefinition>();
  #list: readonly ToolDefinition[] | undefined;
  #index: ShortlistIndex | undefined;

  /**
   * Adds a tool and returns the record with its plugin set. A name that another tool has, also in another case, is a SetupError that
   * names both plugins and does not depend on their order.
   */
  register(definition: ToolDefinition, plugin: string): ToolDefinition {
    if (!namePattern.test(definition.name)) {
      throw new SetupError(`Plugin ${plugin}: ${JSON.stringify(definition.name)} is no tool name. Use a lower-case letter, then up to 63 of a-z, 0-9 and _.`);
    }
    const present = this.#folded.get(definition.name.toLowerCase());
    if (present) throw duplicateTool(present, definition, plugin);
    const registered: ToolDefinition = Object.freeze(Object.assign({}, definition, { plugin }));
    this.#put(registered);
    return registered;
  }

  /** Exact, case-sensitive. */
  get(name: string): ToolDefinition | undefined {
    return this.#tools.get(name);
  }

  /** In the order of registration; the same array until a tool is added or removed. */
  list(): readonly ToolDefinition[] {
    this.#list ??= Object.freeze([...this.#tools.values()]);
    return this.#list;
  }

  /** Marks a tool as one that is always asked for. Returns whether it was there. */
  confirm(name: string): boolean {
    const present = this.#tools.get(name);
    if (!present) return false;
    this.#put(Object.freeze({ ...present, confirm: true }));
    return true;
  }

  /** Takes a tool back, e.g. one that its plugin withholds here. Returns whether it was there. */
  remove(name: string): boolean {
    this.#list = undefined;
    this.#index = undefined;
    this.#folded.delete(name.toLowerCase());
    return this.#tools.delete(name);
  }

  /** The registered names nearest to a wrong one, at most three, nearest first. */
  near(name: string, visible?: ReadonlySet<string>): string[] {
    return nearNames(name, visible ?? this.#tools.keys());
  }

  /**
   * The `k` tools that fit a request best, best first, with their scores; in English and Chinese. Tools that share no word with it are
   * left out. The index is made at the first request after a change.
   */
  shortlist(query: string, k = 8, visible?: ReadonlySet<string>): ShortlistEntry[] {
    this.#index ??= new ShortlistIndex(this.list());
    return this.#index.search(query, Math.max(1, Math.floor(k)), visible);
  }

  #put(definition: ToolDefinition): void {
    this.#tools.set(definition.name, definition);
    this.#folded.set(definition.name.toLowerCase(), definition);
    this.#list = undefined;
    this.#index = undefined;
  }
}

function duplicateTool(present: ToolDefinition, added: ToolDefinition, plugin: string): SetupError {
  const owners = [
    { tool: present.name, plugin: present.plugin ?? '' },
    { tool: added.name, plugin },
  ].sort((a, b) => (a.plugin + a.tool < b.plugin + b.tool ? -1 : 1));
  const named = owners.map((owner) => `plugin ${owner.plugin} (${owner.tool})`).join(' and ');
  const where = present.plugin === plugin ? `twice by plugin ${plugin}` : `by ${named}`;
  return new SetupError(`The tool ${added.name} is registered ${where}. Leave it out of one: plugin.without('${added.name}'), or rename it with @Tool({ name }).`);
}
