// `haft init` and `haft new …` as commander knows them.
import type { Command } from 'commander';
import type { Start } from './program.js';

export function addScaffoldCommands(program: Command, start: Start): void {
  program
    .command('init')
    .description('write a config with a tool of your own and its test into this folder')
    .action(async (_options: unknown, command: Command) => start(async (invocation) => (await import('./scaffold.js')).initProject(invocation))(command));
  const scaffold = program.command('new').description('write a new plugin or tool, with tests that pass');
  scaffold
    .command('plugin')
    .description('a package haft-plugin-NAME in a folder of that name')
    .argument('<name>')
    .action(async (name: string, _options: unknown, command: Command) => start(async (invocation) => (await import('./scaffold.js')).newPlugin(name, invocation))(command));
  scaffold
    .command('tool')
    .description('a tool and its test, in tools/ (or src/ of a plugin package)')
    .argument('<name>')
    .action(async (name: string, _options: unknown, command: Command) => start(async (invocation) => (await import('./scaffold.js')).newTool(name, invocation))(command));
}
