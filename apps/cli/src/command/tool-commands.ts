// `haft tools …`: what the model is shown, single calls and scripts of calls.
import { type Command, Option } from 'commander';
import { oneOf } from './choice.js';
import { countOf } from './permission-commands.js';
import type { Start } from './program.js';

export const listFormats = ['table', 'json', 'openai', 'openai-strict', 'anthropic', 'gemini', 'mcp'] as const;
export type ListFormat = (typeof listFormats)[number];

/** Adds the subcommands; `start` runs one with its flags and terminal. */
export function addToolCommands(program: Command, start: Start): void {
  const tools = program.command('tools').description('the tools: list, call, run, search');
  tools
    .command('list')
    .description('what the model is shown')
    .addOption(oneOf(new Option('--format <format>', 'as a table, or as a provider sees it'), listFormats).default('table'))
    .action(async (options: { format: ListFormat }, command: Command) =>
      start(async (invocation) => (await import('./tools-list.js')).listTools(options.format, invocation))(command),
    );
  tools
    .command('call')
    .description('one call through the dispatcher; exit status 1 when the result is not a success')
    .argument('<name>')
    .argument('[json]', 'the arguments as a JSON object; - reads them from stdin', '{}')
    .option('--json', 'print the whole result')
    .action(async (name: string, json: string, options: { json?: boolean }, command: Command) =>
      start(async (invocation) => (await import('./tools-call.js')).callTool(name, json, options.json ?? false, invocation))(command),
    );
  tools
    .command('run')
    .description('a script of calls, one JSON object a line; an array runs in parallel, {"chain":…} and the like as an orchestration')
    .argument('[file]', 'the script; without it, stdin')
    .action(async (file: string | undefined, _options: unknown, command: Command) =>
      start(async (invocation) => (await import('./tools-run.js')).runScript(file, invocation))(command),
    );
  tools
    .command('search')
    .description('the tools that fit a request best, with their scores')
    .argument('<query...>')
    .option('-k <n>', 'how many', countOf, 5)
    .action(async (query: string[], options: { k: number }, command: Command) =>
      start(async (invocation) => (await import('./tools-search.js')).searchTools(query.join(' '), options.k, invocation))(command),
    );
}
