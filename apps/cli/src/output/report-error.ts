// How an error ends the command: one or two plain lines on stderr, the stack only with --verbose, and the exit status.
import { CliError, type ExitCode, exitCode } from '../exit-code.js';
import { stateFolder } from '../config/paths.js';
import { sanitise } from './sanitise.js';
import type { Terminal } from './terminal.js';

/** Provider failures that mean "no usable key". */
const credentialCodes = new Set(['no_credentials', 'invalid_credentials']);

/** Writes the error and returns the exit status. */
export function reportError(error: unknown, terminal: Terminal): ExitCode {
  const { message, remedy, status } = understand(error);
  terminal.sayLine(`${terminal.colors.red('haft:')} ${sanitise(message)}`);
  if (remedy !== undefined) terminal.sayLine(`  ${sanitise(remedy)}`);
  if (terminal.verbose && error instanceof Error) terminal.say(`${sanitise(stackOf(error))}\n`);
  return status;
}

/** The exit status that the error ends the command with. */
export function statusOfError(error: unknown): ExitCode {
  return understand(error).status;
}

interface Understood {
  message: string;
  remedy?: string | undefined;
  status: ExitCode;
}

function understand(error: unknown): Understood {
  if (error instanceof CliError) return { message: error.message, remedy: error.remedy, status: error.exitCode };
  if (!(error instanceof Error)) return { message: String(error), status: exitCode.failed };
  if (error.name === 'ToolFailure') return { message: error.message, status: exitCode.usage };
  if (error.name === 'SetupError') return { message: error.message, status: exitCode.usage };
  if (error.name === 'SessionError') return { message: error.message, remedy: 'haft sessions list --all shows every session.', status: exitCode.usage };
  if (error.name === 'ModelError') return { message: error.message, status: statusOfModelError((error as { code?: string }).code) };
  const machine = machineProblem(error);
  if (machine !== undefined) return { message: error.message, remedy: machine, status: exitCode.failed };
  return { message: `unexpected error: ${error.message}`, remedy: 'Run again with --verbose for the stack.', status: exitCode.failed };
}

/** What to do about errors that the machine gives, not the program: a full disk, a folder that cannot be written. */
function machineProblem(error: Error): string | undefined {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'mkdir' && (code === 'ENOENT' || code === 'EEXIST')) return unusableState();
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `Make room on the disk; what Haft keeps is in ${stateFolder()} (HAFT_HOME names another place).`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOTDIR':
      return unusableState();
    default:
      return undefined;
  }
}

function unusableState(): string {
  return `Haft must be able to write in ${stateFolder()}; HAFT_HOME names another place, and haft doctor says what is wrong.`;
}

/** The exit status for a coded failure of a model provider. */
export function statusOfModelError(code: string | undefined): ExitCode {
  return code !== undefined && credentialCodes.has(code) ? exitCode.noCredentials : exitCode.provider;
}

function stackOf(error: Error): string {
  const own = error.stack ?? error.message;
  return error.cause instanceof Error ? `${own}\ncaused by: ${stackOf(error.cause)}` : own;
}
