// The composition root: settings become a workspace, a plugin host, a policy and a dispatcher, the same for every command.
import {
  type CallLimits,
  createAccessResolver,
  createDispatcher,
  createSpillStore,
  describeSource,
  type Dispatcher,
  type Logger,
  MemoryAuditLog,
  type Plugin,
  PluginHost,
  type ToolDefinition,
  unmatchedRules,
  Workspace,
} from '@haft/core';
import { ProcessRunner } from '@haft/process';
import { join } from 'node:path';
import type { Invocation } from '../command/program.js';
import { ensureFolder, stateFolder } from '../config/paths.js';
import type { ResolvedSettings } from '../config/resolve-settings.js';
import { CliError, exitCode } from '../exit-code.js';
import { sanitiseLine } from '../output/sanitise.js';
import type { Terminal } from '../output/terminal.js';
import { didYouMean } from '../text/did-you-mean.js';
import { Opened } from './opened.js';
import { deniedReadPatterns, openedReadPatterns, type PermissionPorts, permissionPorts } from './permission-ports.js';
import { settingsFor } from './settings-for.js';
import { terminalLogger } from './terminal-logger.js';

export interface Runtime {
  readonly resolved: ResolvedSettings;
  readonly host: PluginHost;
  readonly workspace: Workspace;
  readonly permission: PermissionPorts;
  readonly dispatcher: Dispatcher;
  /** The tools that may be called: all, or those that `--tools` or the config names. */
  readonly tools: readonly ToolDefinition[];
  readonly log: Logger;
  dispose(): Promise<void>;
}

export interface RuntimeOptions {
  /** Leave the paths of deny rules to the policy alone, so that it names the rule. Nothing may be run then, and nothing is put on record. */
  policyOnly?: boolean;
  /** Settings that are known already. */
  resolved?: ResolvedSettings;
}

/** Starts the plugins. The caller disposes. Throws a CliError or SetupError; nothing is left open then. */
export async function openRuntime(invocation: Invocation, options: RuntimeOptions = {}): Promise<Runtime> {
  const opened = new Opened();
  try {
    return await assemble(invocation, options, opened);
  } catch (error) {
    // The failure that is told is the first one; what it brought down with it says no more.
    await opened.close().catch(() => undefined);
    throw error;
  }
}

async function assemble(invocation: Invocation, options: RuntimeOptions, opened: Opened): Promise<Runtime> {
  const resolved = options.resolved ?? (await settingsFor(invocation));
  const log = terminalLogger(invocation.terminal);
  const permission = permissionPorts(resolved);
  opened.add(permission.audit, (audit) => audit.close());
  const workspace = opened.add(await openWorkspace(resolved, options.policyOnly === true ? [] : deniedReadPatterns(permission.policy), openedReadPatterns(permission.policy)), (open) => open.close());
  const processes = opened.add(new ProcessRunner(), (runner) => runner.dispose());
  const host = await PluginHost.start({
    plugins: resolved.plugins ?? (await defaultPlugins()),
    services: [
      { provide: Workspace, useValue: workspace },
      { provide: ProcessRunner, useValue: processes },
    ],
    packages: { ...resolved.user?.packages, ...resolved.project?.packages },
    root: resolved.root,
    log,
  });
  opened.add(host, (started) => started.dispose());
  const dispatcher = createDispatcher({ registry: host.registry, log, limits: callLimits(resolved), spill: createSpillStore(spillFolder()), ...permission, ...(options.policyOnly === true && { audit: new MemoryAuditLog() }), resolver: createAccessResolver(workspace) });
  checkUnmatchedRules(permission, host, invocation.terminal);
  return { resolved, host, workspace, permission, dispatcher, tools: chosenTools(resolved, host), log, dispose: () => opened.close() };
}

/** What rules deny to read, searches and lists leave out as well; what they open in spite of its name, searches look into. */
async function openWorkspace({ root, settings }: ResolvedSettings, denied: readonly string[], opened: readonly string[]): Promise<Workspace> {
  const { denyPaths, readOnlyPaths, extraRoots } = settings;
  return Workspace.open({
    root,
    deny: [...(denyPaths?.value ?? []), ...denied],
    openSecrets: opened,
    ...(readOnlyPaths && { readOnly: readOnlyPaths.value }),
    stagingDir: join(stateFolder(), 'staging'),
    extraRoots: [...(extraRoots?.value ?? []), { path: ensureFolder(spillFolder()), access: 'read' }],
  });
}

/**
 * A rule whose tool name fits no tool does nothing. A "deny" or "ask" that is mistyped would let through what it was written against: throws a
 * CliError for one of this command's own flags, and for one that is near a tool's name. Others may be meant for another project's tools.
 */
function checkUnmatchedRules({ policy }: PermissionPorts, { registry }: PluginHost, terminal: Terminal): void {
  const names = registry.list().map(({ name }) => name);
  for (const { verdict, rule, source } of unmatchedRules(policy.rules, names)) {
    const near = didYouMean(rule.text.replace(/\(.*/s, ''), names);
    const text = `${source.kind === 'flag' ? `--${verdict}` : `${describeSource(source)}: ${verdict}`} "${rule.text}" fits no tool.${near}`;
    if (verdict !== 'allow' && (near !== '' || source.kind === 'flag')) throw new CliError(text, exitCode.usage, 'A misspelt rule guards nothing. Write it right, or take it out.');
    terminal.note(terminal.colors.yellow(sanitiseLine(text)));
  }
}

/** Where results that are too long for the model are kept whole, for read_file to read. */
function spillFolder(): string {
  return join(stateFolder(), 'spill');
}

function callLimits({ settings: { toolTimeoutMs, maxOutputChars } }: ResolvedSettings): CallLimits {
  return { ...(toolTimeoutMs && { timeoutMs: toolTimeoutMs.value }), ...(maxOutputChars && { maxOutputChars: maxOutputChars.value }) };
}

async function defaultPlugins(): Promise<Plugin[]> {
  const [{ fs }, { shell }] = await Promise.all([import('@haft/plugin-fs'), import('@haft/plugin-shell')]);
  return [fs(), shell()];
}

function chosenTools({ settings }: ResolvedSettings, { registry }: PluginHost): readonly ToolDefinition[] {
  if (settings.tools === undefined) return registry.list();
  const { value, origin } = settings.tools;
  return value.map((name) => {
    const tool = registry.get(name);
    if (tool !== undefined) return tool;
    const names = registry.list().map((known) => known.name);
    throw new CliError(`${origin.where}: no plugin brings a tool "${name}".${didYouMean(name, names)}`, 2, `Tools: ${names.join(', ')}.`);
  });
}
