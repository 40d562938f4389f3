/** How the end of a command is told: data for the application, text for the model. */
import { ToolFailure } from '@haft/core';
import type { BoundedText, RunOutcome } from '@haft/process';
import { interactiveHint, networkHint } from './interactive.js';

export interface CommandReport {
  exit_code: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
  /** Characters of the whole streams, where they were cut. */
  stdout_chars: number;
  stderr_chars: number;
  duration_ms: number;
  /** Absent: the command ran with the user's own rights. */
  sandbox?: string;
}

export function reportOf(outcome: RunOutcome, sandbox: string | undefined): CommandReport {
  return {
    exit_code: outcome.exitCode,
    signal: outcome.signal,
    stdout: outcome.stdout.text,
    stderr: outcome.stderr.text,
    stdout_chars: outcome.stdout.totalChars,
    stderr_chars: outcome.stderr.totalChars,
    duration_ms: outcome.durationMs,
    ...(sandbox !== undefined && { sandbox }),
  };
}

/** What a successful command says: its output, or words where it printed nothing. */
export function successText(report: CommandReport): string {
  const output = outputText(report);
  const text = output === '' ? '(no output, exit code 0)' : output;
  return report.sandbox === undefined ? `${text}\n[ran without a sandbox]` : text;
}

/** A command that did not succeed, as a coded failure: how it ended first, then its output, stderr last. */
export function failureOf(outcome: RunOutcome, report: CommandReport, { timeoutMs, hosts }: CommandLimits): ToolFailure {
  const { code, ended, kind } = describeEnd(outcome, timeoutMs);
  const printed = `${report.stdout}\n${report.stderr}`;
  const hint = interactiveHint(printed) ?? (report.sandbox === undefined ? undefined : networkHint(printed, hosts));
  const output = outputText(report);
  const lines = [ended, ...(hint === undefined ? [] : [`Hint: ${hint}`]), ...(report.sandbox === undefined ? ['[ran without a sandbox]'] : []), output === '' ? '(no output)' : output];
  return new ToolFailure(code, lines.join('\n'), { data: report, ...(kind && { kind }) });
}

export interface CommandLimits {
  timeoutMs: number;
  /** That the sandbox lets through. */
  hosts: readonly string[];
}

interface End {
  code: 'exit_status' | 'killed_by_signal' | 'timeout' | 'cancelled' | 'spawn_failed';
  ended: string;
  kind?: 'timeout';
}

function describeEnd(outcome: RunOutcome, timeoutMs: number): End {
  switch (outcome.reason) {
    case 'exit':
      return { code: 'exit_status', ended: `Exit code ${String(outcome.exitCode)}${meaning(outcome.exitCode)}.` };
    case 'signal':
      return { code: 'killed_by_signal', ended: `Ended by signal ${String(outcome.signal)}${outcome.exitCode === null ? '' : ` (exit code ${outcome.exitCode})`}.` };
    case 'timeout':
      return { code: 'timeout', kind: 'timeout', ended: `Stopped, with everything it had started, at its time limit of ${timeoutMs} ms. Give a larger timeout_ms, or background: true for what does not end by itself.` };
    case 'aborted':
      return { code: 'cancelled', ended: 'Cancelled, and stopped with everything it had started.' };
    case 'output_limit':
      return { code: 'killed_by_signal', ended: 'Stopped because it printed too much.' };
    case 'spawn_failed':
      return { code: 'spawn_failed', ended: `The command could not be started: ${outcome.error ?? 'unknown cause'}.` };
  }
}

function meaning(exitCode: number | null): string {
  if (exitCode === 127) return ' (command not found)';
  if (exitCode === 126) return ' (not executable)';
  return exitCode !== null && exitCode > 128 && exitCode < 160 ? ` (128 + signal ${exitCode - 128})` : '';
}

/** Both streams, the second one marked. */
function outputText(report: Pick<CommandReport, 'stdout' | 'stderr'>): string {
  const stdout = report.stdout.trimEnd();
  const stderr = report.stderr.trimEnd();
  if (stderr === '') return stdout;
  return `${stdout === '' ? '' : `${stdout}\n`}[stderr]\n${stderr}`;
}

/** The output of a job so far. */
export function streamsText(streams: Record<'stdout' | 'stderr', BoundedText>): string {
  return outputText({ stdout: streams.stdout.text, stderr: streams.stderr.text });
}
