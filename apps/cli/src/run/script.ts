// A script of calls as data. A line is a call, an array of calls that run together, or an orchestration.
import { isOrchestration, type ToolCall } from '@haft/core';
import { CliError } from '../exit-code.js';
import { describe } from '../config/check-config.js';
import { didYouMean } from '../text/did-you-mean.js';

export type ScriptLine = { kind: 'call'; call: ToolCall } | { kind: 'parallel'; calls: ToolCall[] } | { kind: 'orchestration'; value: unknown; id: string };

/** Throws a CliError that names the line. Blank lines are skipped. */
export function parseScript(text: string, source: string): ScriptLine[] {
  let count = 0;
  const nextId = (): string => `call-${(count += 1)}`;
  return text.split('\n').flatMap((line, index): ScriptLine[] => {
    if (line.trim() === '') return [];
    const place = `${source}, line ${index + 1}`;
    const value = parseJson(line, place);
    if (Array.isArray(value)) return [{ kind: 'parallel', calls: value.map((item) => toCall(item, place, nextId)) }];
    if (isOrchestration(value)) return [{ kind: 'orchestration', value, id: nextId() }];
    return [{ kind: 'call', call: toCall(value, place, nextId) }];
  });
}

/** `{ "name": …, "arguments": … }`; `tool` and `args` are understood too. Arguments may be an object, or the raw text that a model wrote. */
function toCall(value: unknown, place: string, nextId: () => string): ToolCall {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CliError(`${place}: a call is an object like {"name":"read_file","arguments":{"path":"README.md"}}, not ${describe(value)}.`);
  }
  const { name, tool, arguments: given, args, id } = value as Record<string, unknown>;
  const called = name ?? tool;
  if (typeof called !== 'string') throw new CliError(`${place}: "name" must be the name of a tool, not ${describe(called)}.${slip(value)}`);
  const values = given ?? args ?? {};
  return { id: typeof id === 'string' ? id : nextId(), name: called, arguments: typeof values === 'string' ? values : JSON.stringify(cut(values)) };
}

/** More than a call may be nested: what is cut here is refused by the dispatcher, for itself alone and not for the whole script. */
const mostLevels = 200;

/** JSON can be read deeper than it can be written. */
function cut(value: unknown, levels = mostLevels): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.map((item) => cut(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cut(item, levels - 1)]));
}

/** The key that was mistyped, or what else a line may be. */
function slip(value: object): string {
  for (const key of Object.keys(value)) {
    const meant = didYouMean(key, ['name', 'tool']);
    if (meant !== '' && !['arguments', 'args', 'id'].includes(key)) return meant;
  }
  return ' An orchestration has one of chain, parallel, router, plan.';
}

function parseJson(line: string, place: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new CliError(`${place} is not JSON: ${error instanceof Error ? error.message : String(error)}`, 2, undefined, { cause: error });
  }
}
