// `haft config …` and `haft doctor` as commander knows them.
import { Argument, type Command } from 'commander';
import { exitCode } from '../exit-code.js';
import { oneOf } from './choice.js';
import type { Shell } from './completion.js';
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
  program
    .command('completion')
    .description('a script that completes commands and flags: source <(haft completion bash)')
    .addArgument(oneOf(new Argument('<shell>'), ['bash', 'zsh', 'fish']))
    .action(async (shell: Shell, _options: unknown, command: Command) =>
      start(async ({ terminal }) => {
        const { completionScript } = await import('./completion.js');
        terminal.answer(completionScript(program, shell));
        return exitCode.done;
      })(command),
    );
}
