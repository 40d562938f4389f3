// `haft permissions …` and `haft audit …` as commander knows them.
import { type Command, InvalidArgumentError } from 'commander';
import type { Start } from './program.js';

export function addPermissionCommands(program: Command, start: Start): void {
  const permissions = program.command('permissions').description('rules and stored answers: list, explain, revoke');
  permissions
    .command('list')
    .description('every rule and grant, with its source')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }, command: Command) =>
      start(async (invocation) => (await import('./permissions.js')).listPermissions(options.json ?? false, invocation))(command),
    );
  permissions
    .command('explain')
    .description('what would happen to a call, by which rule, from which source; nothing is run')
    .argument('<name>')
    .argument('[json]', 'the arguments as a JSON object; - reads them from stdin', '{}')
    .option('--json', 'as JSON')
    .action(async (name: string, json: string, options: { json?: boolean }, command: Command) =>
      start(async (invocation) => (await import('./permissions.js')).explainCall({ id: 'call-1', name, arguments: json }, options.json ?? false, invocation))(command),
    );
  permissions
    .command('revoke')
    .description('take a grant back')
    .argument('<id>')
    .action(async (id: string, _options: unknown, command: Command) =>
      start(async (invocation) => (await import('./permissions.js')).revokeGrant(id, invocation))(command),
    );
}

export function addAuditCommands(program: Command, start: Start): void {
  const audit = program.command('audit').description('the audit log: show, verify, archive');
  audit
    .command('show')
    .description('the last records')
    .option('-n <count>', 'how many', countOf, 20)
    .option('--json', 'as JSON lines, all of them unless -n is given')
    .action(async (options: { n: number; json?: boolean }, command: Command) =>
      start(async (invocation) => (await import('./audit.js')).showAudit(command.getOptionValueSource('n') === 'default' && options.json ? undefined : options.n, options.json ?? false, invocation))(command),
    );
  audit
    .command('verify')
    .description('whether the log is whole; exit status 1 when it is not')
    .argument('[archive]', 'one that was set aside; default: the log in use')
    .option('--json', 'as JSON')
    .action(async (archive: string | undefined, options: { json?: boolean }, command: Command) =>
      start(async (invocation) => (await import('./audit.js')).verifyAudit(archive, options.json ?? false, invocation))(command),
    );
  audit
    .command('archive')
    .description('set the log aside, whole or damaged; the next record begins a new one')
    .action(async (_options: unknown, command: Command) => start(async (invocation) => (await import('./audit.js')).archiveAudit(invocation))(command));
}

/** A whole number above 0. */
export function countOf(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new InvalidArgumentError('It must be a whole number above 0.');
}
