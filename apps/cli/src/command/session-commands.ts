// `haft sessions …` as commander knows it.
import { type Command, Option } from 'commander';
import { oneOf } from './choice.js';
import type { Start } from './program.js';

const exportFormats = ['markdown', 'json', 'jsonl'] as const;
export type SessionExport = (typeof exportFormats)[number];

export function addSessionCommands(program: Command, start: Start): void {
  const sessions = program.command('sessions').description('stored conversations: list, show, export, rm');
  sessions
    .command('list')
    .description('newest first')
    .option('--all', 'of every folder, not only this one')
    .option('--json', 'as JSON')
    .action(async (options: { all?: boolean; json?: boolean }, command: Command) =>
      start(async (invocation) => (await import('./sessions.js')).listSessions(options, invocation))(command),
    );
  sessions
    .command('show')
    .description('one conversation, to read')
    .argument('<id>')
    .action(async (id: string, _options: unknown, command: Command) =>
      start(async (invocation) => (await import('./sessions.js')).showSession(id, 'markdown', invocation))(command),
    );
  sessions
    .command('export')
    .description('one conversation, to keep or to process')
    .argument('<id>')
    .addOption(oneOf(new Option('--format <format>', 'markdown, json, or jsonl as it is stored'), exportFormats).default('json'))
    .action(async (id: string, options: { format: SessionExport }, command: Command) =>
      start(async (invocation) => (await import('./sessions.js')).showSession(id, options.format, invocation))(command),
    );
  sessions
    .command('rm')
    .description('delete conversations')
    .argument('<id...>')
    .action(async (ids: string[], _options: unknown, command: Command) =>
      start(async (invocation) => (await import('./sessions.js')).removeSessions(ids, invocation))(command),
    );
}
