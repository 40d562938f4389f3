/** A program of the user's own choice on the user's own terminal, e.g. an editor: no sandbox, no capture, the terminal is its until it ends. */
import { spawn } from 'node:child_process';

export interface TerminalProgramEnd {
  /** Of the program or of the shell that could not start it (126, 127); absent when a signal ended it. */
  status?: number;
  signal?: NodeJS.Signals;
}

/**
 * Runs a command line of the user (a program, perhaps with arguments) with one more argument. Ctrl-C is the program's. Rejects when no
 * shell can be started.
 */
export async function runOnTerminal(commandLine: string, argument: string): Promise<TerminalProgramEnd> {
  const ignore = (): void => undefined;
  process.on('SIGINT', ignore);
  try {
    return await new Promise((resolve, reject) => {
      const child =
        process.platform === 'win32'
          ? spawn(`${commandLine} "${argument}"`, { stdio: 'inherit', shell: true })
          : spawn('/bin/sh', ['-c', `${commandLine} "$1"`, 'sh', argument], { stdio: 'inherit' });
      child.once('error', reject);
      child.once('exit', (status, signal) => resolve({ ...(status === null ? {} : { status }), ...(signal === null ? {} : { signal }) }));
    });
  } finally {
    process.off('SIGINT', ignore);
  }
}
