// `haft doctor`: what is right, what is not, the remedy.
import { resolveForDoctor } from '../doctor/config-checks.js';
import type { Finding } from '../doctor/check.js';
import { machineChecks } from '../doctor/machine-checks.js';
import { modelChecks } from '../doctor/model-checks.js';
import { pluginChecks } from '../doctor/plugin-checks.js';
import { stateChecks } from '../doctor/state-checks.js';
import { type ExitCode, exitCode } from '../exit-code.js';
import { safeJson } from '../output/safe-json.js';
import { sanitiseLine } from '../output/sanitise.js';
import type { Terminal } from '../output/terminal.js';
import type { Invocation } from './program.js';

/** Exit status 1 when there is a problem; warnings alone are 0. */
export async function runDoctor(asJson: boolean, invocation: Invocation): Promise<ExitCode> {
  const { terminal } = invocation;
  const findings: Finding[] = [];
  const add = (more: readonly Finding[]): void => {
    findings.push(...more);
    if (!asJson) more.forEach((finding) => show(finding, terminal));
  };
  add(machineChecks(terminal));
  const { findings: config, resolved } = await resolveForDoctor(invocation);
  add(config);
  add(await stateChecks(resolved?.root ?? process.cwd()));
  if (resolved !== undefined) {
    add(await modelChecks(resolved));
    add(await pluginChecks(invocation));
  }
  const healthy = findings.every(({ status }) => status !== 'problem');
  if (asJson) terminal.answer(`${safeJson({ ok: healthy, checks: findings }, 2)}\n`);
  return healthy ? exitCode.done : exitCode.failed;
}

function show({ name, status, message, remedy }: Finding, terminal: Terminal): void {
  const { green, yellow, red, bold, dim } = terminal.answerColors;
  const mark = { ok: green('✓'), warning: yellow('⚠'), problem: red('✗') }[status];
  terminal.answer(`${mark} ${bold(name.padEnd(13))} ${sanitiseLine(message)}\n`);
  if (remedy !== undefined) terminal.answer(`  ${' '.repeat(13)} ${dim(sanitiseLine(remedy))}\n`);
}
