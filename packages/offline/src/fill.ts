/** Fills a tool's parameters from what a request names. What is not said is left out; nothing is made up. */
import type { Json, JsonObject, ToolDefinition } from '@haft/core';
import type { Entities } from './entities.js';
import { parametersOf, type Parameter } from './roles.js';

export interface Filling {
  args: JsonObject;
  /** Required parameters that the request says nothing of. */
  missing: string[];
  /** How many of the named things found a place. */
  used: number;
  /** Named things that this tool has no place for. */
  unused: number;
  /** Among them one without which the call would not be what was asked: a text to search, a command, a replacement. */
  missesThePoint: boolean;
}

/** Named things not yet placed; filling takes from it so that no text lands in two parameters. */
interface Pool {
  paths: string[];
  quoted: string[];
  numbers: number[];
  taken: Set<string>;
}

export function fill(tool: ToolDefinition, entities: Entities, text: string): Filling {
  const pool: Pool = { paths: [...entities.paths], quoted: [...entities.quoted], numbers: [...entities.numbers], taken: new Set() };
  const args: JsonObject = {};
  const ordered = [...parametersOf(tool)].sort((a, b) => order(a) - order(b));
  for (const parameter of ordered) {
    const value = valueFor(parameter, entities, pool, text);
    if (value !== undefined) args[parameter.name] = value;
  }
  const missing = ordered.filter((parameter) => parameter.required && !(parameter.name in args)).map((parameter) => parameter.name);
  const unused = unusedThings(entities, pool);
  return { args, missing, used: pool.taken.size, unused: unused.length, missesThePoint: unused.some((thing) => essential.has(thing)) };
}

/** Specific roles choose before general ones, required before optional. */
function order(parameter: Parameter): number {
  const general = parameter.role === 'text' || parameter.role === 'content' || parameter.role === 'number' || parameter.role === 'list';
  return (general ? 2 : 0) + (parameter.required ? 0 : 1);
}

function valueFor(parameter: Parameter, entities: Entities, pool: Pool, text: string): Json | undefined {
  const written = entities.keyValues.get(parameter.name);
  if (written !== undefined) {
    pool.taken.add(`key:${parameter.name}`);
    return typed(written, parameter);
  }
  return byRole(parameter, entities, pool, text);
}

/** `key=value` texts become the parameter's type where that is lossless; the dispatcher judges the rest. */
function typed(written: string, parameter: Parameter): Json {
  const isText = parameter.role !== 'number' && parameter.role !== 'start' && parameter.role !== 'limit' && parameter.role !== 'flag';
  if (isText && parameter.role !== 'list' && parameter.role !== 'object') return written;
  try {
    return JSON.parse(written) as Json;
  } catch {
    return parameter.role === 'list' ? written.split(',') : written;
  }
}

function byRole(parameter: Parameter, entities: Entities, pool: Pool, text: string): Json | undefined {
  const take = (key: string, value: Json | undefined): Json | undefined => {
    if (value !== undefined) pool.taken.add(key);
    return value;
  };
  switch (parameter.role) {
    case 'path':
      return take('path', takePath(entities, pool));
    case 'glob':
      return take('glob', entities.glob);
    case 'command':
      return take('command', entities.command ?? (parameter.required ? takeQuoted(pool) : undefined));
    case 'url':
      return take('url', entities.urls[0]);
    case 'search':
      return take('search', entities.search ?? (parameter.required ? takeQuoted(pool) : undefined));
    case 'old':
      return take('replace', entities.replace?.old);
    case 'new':
      return take('replace', entities.replace?.new);
    case 'start':
      return take('lines', entities.lines?.from);
    case 'limit':
      return take('lines', entities.lines?.count ?? spokenLimit(text));
    case 'enum':
      return take('enum', spokenChoice(parameter.schema.enum ?? [], text));
    case 'flag':
      return spokenFlag(parameter.name, text);
    case 'number':
      return parameter.required ? take('number', pool.numbers.shift()) : undefined;
    case 'list':
      return parameter.required ? take('quoted', pool.quoted.length > 0 ? pool.quoted.splice(0) : undefined) : undefined;
    case 'content':
    case 'text':
      return take(entities.content === undefined ? 'quoted' : 'content', takeText(parameter, entities, pool));
    case 'object':
      return undefined;
  }
}

function takePath(entities: Entities, pool: Pool): string | undefined {
  const path = pool.paths.shift();
  if (path !== undefined && pool.quoted.includes(path)) pool.quoted.splice(pool.quoted.indexOf(path), 1);
  // A glob that is written with its folder needs no separate one.
  return path !== undefined && entities.glob?.startsWith(`${path}/`) === true ? undefined : path;
}

function takeQuoted(pool: Pool): string | undefined {
  return pool.quoted.shift();
}

function takeText(parameter: Parameter, entities: Entities, pool: Pool): string | undefined {
  if (parameter.role === 'content' && entities.content !== undefined) return entities.content;
  return parameter.required ? takeQuoted(pool) : undefined;
}

function spokenLimit(text: string): number | undefined {
  const match = /\b(?:at most|up to|limit(?: of)?|top|first)\s+(\d+)/i.exec(text) ?? /(?:最多|前)\s*(\d+)/.exec(text);
  return match ? Number(match[1]) : undefined;
}

function spokenChoice(choices: readonly Json[], text: string): Json | undefined {
  const words = text.toLowerCase().split(/[^\p{L}\p{N}_-]+/u);
  return choices.find((choice) => words.includes(typeof choice === 'string' ? choice.toLowerCase() : JSON.stringify(choice)));
}

function spokenFlag(name: string, text: string): boolean | undefined {
  const words = name.split('_').join('[ _-]');
  const isSaid = new RegExp(`\\b${words}\\b`, 'i').test(text) || (/^replace_all$/.test(name) && /\b(all|every)\b|所有|全部/i.test(text));
  return isSaid ? true : undefined;
}

const essential = new Set(['command', 'search', 'replace', 'content', 'glob']);

function unusedThings(entities: Entities, pool: Pool): string[] {
  const wanted: [string, boolean][] = [
    ['path', entities.paths.length > 0],
    ['glob', entities.glob !== undefined],
    ['command', entities.command !== undefined],
    ['search', entities.search !== undefined],
    ['replace', entities.replace !== undefined],
    ['content', entities.content !== undefined],
    ['lines', entities.lines !== undefined],
    ['url', entities.urls.length > 0],
    ['quoted', pool.quoted.length > 0 && entities.search === undefined && entities.content === undefined && entities.replace === undefined && entities.command === undefined],
  ];
  return wanted.filter(([key, isNamed]) => isNamed && !pool.taken.has(key)).map(([key]) => key);
}
