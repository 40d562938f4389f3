// `haft permissions list|explain|revoke`.
import { createAuditLog, createGrantStore, createPolicy, describeSource, explainDecision, type Grant, type SourcedRule, type ToolCall, wideRules } from '@haft/core';
import { ensureFolder, stateFolder } from '../config/paths.js';
import { readText } from '../config/read-text.js';
import { workingDirectory } from '../config/resolve-settings.js';
import { CliError, type ExitCode, exitCode } from '../exit-code.js';
import { safeJson } from '../output/safe-json.js';
import { sanitise } from '../output/sanitise.js';
import { showTable } from '../output/table.js';
import { type DirectCalls, withDirectCalls } from '../run/direct-calls.js';
import { ruleSetsOf } from '../run/permission-ports.js';
import { settingsFor } from '../run/settings-for.js';
import type { Invocation } from './program.js';

export async function listPermissions(asJson: boolean, invocation: Invocation): Promise<ExitCode> {
  const { terminal } = invocation;
  const resolved = await settingsFor(invocation);
  const mode = resolved.settings.permissionMode?.value ?? 'ask';
  const policy = createPolicy({ rules: ruleSetsOf(resolved), mode });
  const store = createGrantStore(ensureFolder(stateFolder()), { root: resolved.root });
  const grants = store.list();
  // No plugin is started to list rules, so that only the name of the tool in the box is known to take commands.
  const wide = wideRules(policy.rules, ['bash']);
  if (asJson) {
    const rules = policy.rules.map((sourced) => {
      const { verdict, rule, source, ignored } = sourced;
      return { verdict, rule: rule.text, source, ignored, warning: wide.find((found) => found.rule === sourced)?.message };
    });
    terminal.answer(`${safeJson({ mode, rules, grants, problem: store.problem() }, 2)}\n`);
    return exitCode.done;
  }
  terminal.note(`mode: ${mode} (${resolved.settings.permissionMode?.origin.where ?? 'built in'})`);
  const problem = store.problem();
  if (problem !== undefined) terminal.note(terminal.colors.yellow(sanitise(`stored grants do not count: ${problem}`)));
  const rows = [...policy.rules.map(ruleRow), ...grants.map(grantRow)];
  if (rows.length === 0) terminal.note('No rules and no grants: the defaults of the mode decide.');
  else showTable(['VERDICT', 'RULE', 'ID', 'SOURCE'], rows, terminal);
  for (const { rule, message } of wide) terminal.note(terminal.colors.yellow(sanitise(`${rule.rule.text} ${message}.`)));
  return exitCode.done;
}

/** Plans the call and says how it is decided; it is not run. */
export async function explainCall(given: ToolCall, asJson: boolean, invocation: Invocation): Promise<ExitCode> {
  const call = given.arguments === '-' ? { ...given, arguments: await readText('-') } : given;
  const explain = async ({ runtime, context }: DirectCalls): Promise<ExitCode> => {
    const outcome = await runtime.dispatcher.plan(call, context);
    const { terminal } = invocation;
    if (asJson) terminal.answer(`${safeJson(outcome.kind === 'planned' ? outcome.planned.decision : outcome.result, 2)}\n`);
    else if (outcome.kind === 'planned') terminal.answer(`${explainDecision(outcome.planned.decision).map(sanitise).join('\n')}\n`);
    else terminal.answer(sanitise(`${outcome.result.code === 'permission_denied' ? 'deny' : 'refused'}\n  ${outcome.result.code ?? ''}: ${outcome.result.error ?? ''}\n`));
    return outcome.kind === 'planned' || outcome.result.code === 'permission_denied' ? exitCode.done : exitCode.failed;
  };
  return withDirectCalls(invocation, explain, { policyOnly: true });
}

export async function revokeGrant(id: string, { flags, terminal }: Invocation): Promise<ExitCode> {
  const root = workingDirectory(flags.cwd);
  const audit = createAuditLog(ensureFolder(stateFolder()));
  const revoked = await createGrantStore(ensureFolder(stateFolder()), { root, audit }).revoke(id);
  audit.close();
  if (!revoked) throw new CliError(`There is no grant ${id} for ${root}.`, exitCode.failed, 'haft permissions list shows the grants of a folder.');
  terminal.note(`revoked ${id}`);
  return exitCode.done;
}

function ruleRow({ verdict, rule, source, ignored }: SourcedRule): string[] {
  return [ignored === undefined ? verdict : `(${verdict})`, rule.text, '-', ignored === undefined ? describeSource(source) : `${describeSource(source)}: ${ignored}`];
}

function grantRow({ id, rule, at }: Grant): string[] {
  return ['allow', rule, id, `grant of ${at.slice(0, 10)}`];
}
