// `haft serve` as commander knows it.
import { type Command, InvalidArgumentError } from 'commander';
import type { Start } from './program.js';

export function addServeCommand(program: Command, start: Start): void {
  program
    .command('serve')
    .description('the agent over HTTP, with a page to talk to it')
    .option('--port <n>', 'the port to listen on; 0 takes a free one', port, 4280)
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .action(async (options: { port: number; host: string }, command: Command) => start(async (invocation) => (await import('./serve.js')).runServe(options, invocation))(command));
}

function port(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isInteger(value) && value >= 0 && value <= 65_535) return value;
  throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
}
