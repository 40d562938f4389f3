// `haft config …` and `haft doctor` as commander knows them.
import type { Command } from 'commander';
import type { Start } from './program.js';

export function addConfigCommands(program: Command, start: Start): void {
  const config = program.command('config').description('the settings: show');
  config
    .command('show')
    .description('every setting')
    .option('--origin', 'and where it comes from')
    .option('--json', 'as JSON, with origins')
    .action(async (options: { origin?: boolean; json?: boolean }, command: Command) =>
      start(async (invocation) => (await import('./config-show.js')).showConfig(options, invocation))(command),
    );
  program
    .command('doctor')
    .description('model, sandbox, config, plugins, terminal: what is right, what is not, the remedy')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }, command: Command) =>
      start(async (invocation) => (await import('./doctor.js')).runDoctor(options.json ?? false, invocation))(command),
    );
}
