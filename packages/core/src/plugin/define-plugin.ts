/** From what a plugin's author writes to the function that `agent.config.ts` calls. */
import { SetupError } from '../errors.js';
import { nearNames } from '../registry/near-names.js';
import { parseAs } from '../schema/parser.js';
import { definitionsOf } from '../tool/define-tool.js';
import type { ToolDefinition } from '../tool/tool.js';
import type { Plugin, PluginSpec, ToolSource } from './plugin.js';

/** Makes a plugin with options. Wrong options are kept as `optionsError` and stop the start of the host. */
export type PluginFactory<Options extends object, Names extends string = string> = (options?: Partial<Options>) => Plugin<Names>;

const namePattern = /^[a-z][a-z0-9-]{0,63}$/;

/**
 * Checks the plugin's name at once; everything else when the plugin is used.
 * @throws SetupError for a name that is not lower-case letters, digits and hyphens.
 */
export function definePlugin<Options extends object = object, Names extends string = string>(spec: PluginSpec<Options>): PluginFactory<Options, Names> {
  if (!namePattern.test(spec.name)) throw new SetupError(`${JSON.stringify(spec.name)} is no plugin name. Use a lower-case letter, then up to 63 of a-z, 0-9 and -.`);
  return (given = {}) => {
    const { options, error } = readOptions(spec, given);
    if (error) return makePlugin<Names>({ name: spec.name, tools: [], services: [], optionsError: error });
    const tools = typeof spec.tools === 'function' ? spec.tools(options) : spec.tools;
    const services = typeof spec.services === 'function' ? spec.services(options) : (spec.services ?? []);
    return makePlugin<Names>({ ...lifecycle(spec, options), name: spec.name, tools, services });
  };
}

type PluginParts = Omit<Plugin, 'only' | 'without'>;

function makePlugin<Names extends string>(parts: PluginParts): Plugin<Names> {
  return {
    ...parts,
    only: <N extends Names>(...names: N[]) => makePlugin<N>({ ...parts, tools: selected(parts, names, (name) => (names as string[]).includes(name)) }),
    without: <N extends Names>(...names: N[]) =>
      makePlugin<Exclude<Names, N>>({ ...parts, tools: selected(parts, names, (name) => !(names as string[]).includes(name)) }),
  };
}

/** @throws SetupError when a name is not one of the plugin's tools. */
function selected(parts: PluginParts, names: readonly string[], keep: (name: string) => boolean): ToolSource[] {
  if (parts.optionsError) return [];
  const definitions: ToolDefinition[] = parts.tools.flatMap((source) => definitionsOf(source));
  const known = definitions.map(({ name }) => name);
  for (const name of names) {
    if (known.includes(name)) continue;
    const near = nearNames(name, known);
    throw new SetupError(`Plugin ${parts.name} has no tool ${name}. ${near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `It has: ${known.join(', ')}.`}`);
  }
  return definitions.filter(({ name }) => keep(name));
}

function readOptions<Options extends object>(spec: PluginSpec<Options>, given: Partial<Options>): { options: Options; error?: SetupError } {
  if (!spec.options) {
    const keys = Object.keys(given);
    if (keys.length === 0) return { options: given as Options };
    return { options: given as Options, error: new SetupError(`Plugin ${spec.name} takes no options; it was given ${keys.join(', ')}.`) };
  }
  const outcome = parseAs(spec.options, given);
  if (outcome.ok) return { options: outcome.value };
  const problems = outcome.issues.map((issue) => issue.message).join('; ');
  return { options: given as Options, error: new SetupError(`Plugin ${spec.name}, options: ${problems}`) };
}

function lifecycle<Options extends object>(spec: PluginSpec<Options>, options: Options): Pick<Plugin, 'version' | 'setup' | 'dispose'> {
  const parts: { -readonly [Key in 'version' | 'setup' | 'dispose']?: Plugin[Key] } = {};
  if (spec.version !== undefined) parts.version = spec.version;
  if (spec.setup) parts.setup = (context) => spec.setup?.(context, options);
  if (spec.dispose) parts.dispose = (context) => spec.dispose?.(context);
  return parts as Pick<Plugin, 'version' | 'setup' | 'dispose'>;
}
