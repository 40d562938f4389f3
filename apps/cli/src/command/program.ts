// The command line as commander knows it. Every command's code is imported when it is chosen, so that nothing else is loaded.
import { nearName } from '@haft/core/near-name';
import { Command, CommanderError } from 'commander';
import { readVersion } from '../config/version.js';
import { CliError, type ExitCode, exitCode } from '../exit-code.js';
import { takeStandardOutput } from '../output/answer-stream.js';
import { reportError } from '../output/report-error.js';
import { Terminal } from '../output/terminal.js';
import { addConfigCommands } from './config-commands.js';
import type { Flags } from './flag-layer.js';
import { addFlags } from './flags.js';
import { addAuditCommands, addPermissionCommands } from './permission-commands.js';
import { addScaffoldCommands } from './scaffold-commands.js';
import { addServeCommand } from './serve-command.js';
import { addSessionCommands } from './session-commands.js';
import { addToolCommands } from './tool-commands.js';

/** What a command gets: its flags and the terminal that they configure. */
export interface Invocation {
  flags: Flags;
  terminal: Terminal;
}

export type Run = (invocation: Invocation) => Promise<ExitCode>;

const examples = `
Examples:
  haft                                        talk in the current directory
  haft "how many TypeScript files are there?"   one answer, on stdout
  git diff | haft -p "review this"            a prompt about what is piped in
  haft tools call read_file '{"path":"README.md"}' --json
  haft -m anthropic:claude-sonnet-4-5 --allow "bash(npm test)" "run the tests"

With no key set, the offline stand-in answers; set OPENAI_API_KEY, ANTHROPIC_API_KEY, or MODEL_API_KEY, BASE_URL and MODEL.
Exit status: 0 done, 1 failed, 2 usage or configuration, 3 no credentials, 4 provider error, 5 approval not possible, 6 limit, 130 interrupted.`;

/** Parses and runs; resolves with the exit status. `args` are the words after the program's name. */
export async function main(args: readonly string[]): Promise<ExitCode> {
  let status: ExitCode = exitCode.done;
  const program = buildProgram((run) => async (command) => {
    const flags = command.optsWithGlobals<Flags>();
    const terminal = terminalFor(flags);
    try {
      status = await run({ flags, terminal });
    } catch (error) {
      status = reportError(error, terminal);
    }
    await terminal.flush();
  });
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCode.done : exitCode.usage;
  }
  return status;
}

export type Start = (run: Run) => (command: Command) => Promise<void>;

/** The whole command line; `start` wraps what a command does. */
export function buildProgram(start: Start): Command {
  const program = addFlags(new Command('haft'))
    .description('Lets a model use your tools: ask, or talk in a REPL.')
    .argument('[prompt...]', 'what to do; without it, a REPL')
    .version(readVersion(), '-V, --version')
    .showHelpAfterError('(haft --help shows the usage)')
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'haft: ')) })
    .exitOverride()
    .addHelpText('after', examples)
    .action(async (words: string[], _options: unknown, command: Command) => {
      const topic = helpTopic(words, program);
      if (topic !== undefined) return topic.outputHelp();
      await start(async (invocation) => {
        refuseMistypedCommand(words, program, invocation.flags);
        const { runPrompt } = await import('./prompt-command.js');
        return runPrompt(words.join(' '), invocation);
      })(command);
    });
  addToolCommands(program, start);
  addSessionCommands(program, start);
  addPermissionCommands(program, start);
  addAuditCommands(program, start);
  addConfigCommands(program, start);
  addScaffoldCommands(program, start);
  addServeCommand(program, start);
  return program;
}

function terminalFor(flags: Flags): Terminal {
  return new Terminal({ stdout: takeStandardOutput(), color: flags.color, quiet: flags.quiet ?? false, verbose: flags.verbose ?? false });
}

/** The command that `haft help`, `haft help tools`, … are about; other words behind "help" are a prompt. */
function helpTopic([first, ...names]: readonly string[], program: Command): Command | undefined {
  if (first !== 'help') return undefined;
  return names.reduce<Command | undefined>((topic, name) => topic?.commands.find((known) => known.name() === name), program);
}

/** `haft tols list` is a slip, not a prompt; a prompt of one such word can be given with -p. */
function refuseMistypedCommand(words: readonly string[], program: Command, flags: Flags): void {
  const [first = ''] = words;
  if (flags.print === true || !/^[a-z]{3,}$/.test(first)) return;
  const command = nearName(first, program.commands.map((known) => known.name()).filter((name) => name.length > 3));
  if (command === undefined) return;
  throw new CliError(`unknown command "${first}". Did you mean "haft ${command}"?`, exitCode.usage, `To send it as a prompt: haft -p "${words.join(' ')}"`);
}
