/** The plugin `shell`: probes the sandbox at start and offers its tools only as far as the result allows. */
import { join } from 'node:path';
import { type PluginContext, type ServiceProvider, SetupError, Workspace, definePlugin } from '@haft/core';
import { ProcessRunner, createSandbox } from '@haft/process';
import { BackgroundJobs } from './background-jobs.js';
import { BashKill, BashOutput } from './bash-jobs.js';
import { Bash } from './bash.js';
import { ShellOptions } from './shell-options.js';
import { Shell } from './shell.js';

/** Beside the option `off`: set in the environment that Haft itself is started with. */
const OFF_SWITCH = 'HAFT_SANDBOX';

export const shell = definePlugin<ShellOptions, 'bash' | 'bash_output' | 'bash_kill'>({
  name: 'shell',
  options: ShellOptions,
  tools: [Bash, BashOutput, BashKill],
  services: (options) => [
    { provide: Shell, useFactory: (services: ServiceProvider) => new Shell(services.get(ProcessRunner), options) },
    { provide: BackgroundJobs, useClass: BackgroundJobs, scope: 'session' },
  ],
  setup: chooseSandbox,
  dispose(context) {
    context.services.get(Shell).sandbox?.dispose?.();
  },
});

/** Never a silent fallback: what is weaker than asked is withheld, or asks at every call. */
async function chooseSandbox(context: PluginContext, options: ShellOptions): Promise<void> {
  const service = context.services.get(Shell);
  if (options.sandbox === 'off') return switchOff();
  const sandbox = createSandbox({
    root: context.root,
    readable: options.readable,
    writable: options.writable,
    hidden: ownState(),
    isSecret: secretsIn(context),
    hosts: options.network,
    ...(await gitIdentity(context)),
    onRequest: (target, allowed) => { context.log.info(`shell: a command ${allowed ? 'connected' : 'was not let'} to ${target}`); },
  });
  const probe = await sandbox.probe();
  if (probe.ok) {
    service.sandbox = sandbox;
    context.log.debug(`shell: sandbox ${sandbox.name}: ${probe.detail}`);
    return;
  }
  const reason = `no sandbox: ${probe.cause ?? 'the self-test failed'}. Remedy: ${probe.remedy ?? 'see haft doctor'}`;
  if (options.sandbox === 'preferred') {
    context.log.warn(`shell: ${reason}. Every command will ask and run with your own rights.`);
    context.confirm('bash');
    return;
  }
  for (const tool of ['bash', 'bash_output', 'bash_kill']) context.withhold(tool, reason);
}

/** What the workspace says, which knows the rules by which the user opened files. */
function secretsIn(context: PluginContext): (path: string) => boolean {
  const workspace = context.services.get(Workspace);
  return (path) => workspace.isSecret(path);
}

/** As git outside would sign a commit; nothing where git is not there or does not know. */
async function gitIdentity(context: PluginContext): Promise<{ gitIdentity?: { name: string; email: string } }> {
  const argv = ['git', 'config', '--global', '--get-regexp', '^user\\.(name|email)$'];
  const { stdout } = await context.services.get(ProcessRunner).run({ argv, cwd: '/', timeoutMs: 5_000 });
  const [, name = ''] = /^user\.name (.+)$/m.exec(stdout.text) ?? [];
  const [, email = ''] = /^user\.email (.+)$/m.exec(stdout.text) ?? [];
  return name === '' || email === '' ? {} : { gitIdentity: { name, email } };
}

/** Where Haft keeps sessions, grants and the audit log, should that lie inside the workspace. */
function ownState(): string[] {
  const { HAFT_HOME, XDG_STATE_HOME } = process.env;
  return [...(HAFT_HOME ? [HAFT_HOME] : []), ...(XDG_STATE_HOME ? [join(XDG_STATE_HOME, 'haft')] : [])];
}

function switchOff(): void {
  if (process.env[OFF_SWITCH] === 'off') return;
  throw new SetupError(`shell({ sandbox: 'off' }) runs commands with all your rights, so it needs a second word from you: start Haft with ${OFF_SWITCH}=off, or use sandbox: 'preferred'.`);
}
