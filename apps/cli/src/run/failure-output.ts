// The answer of a run that could not begin, for programs that read one: `--output-format json` and `stream-json`.
import type { OutputFormat } from '../command/flag-layer.js';
import { CliError, type ExitCode, exitCode } from '../exit-code.js';
import { statusOfError } from '../output/report-error.js';
import { safeJson } from '../output/safe-json.js';
import type { Terminal } from '../output/terminal.js';

/** Writes it in the shape of a failed run; nothing for text, where stderr says it. */
export function answerFailure(error: unknown, format: OutputFormat, terminal: Terminal): void {
  if (format === 'text') return;
  const failed = { text: '', status: 'failed', turns: 0, usage: { input: 0, output: 0 }, error: { code: codeOf(error), message: messageOf(error) } };
  terminal.answer(`${safeJson(format === 'json' ? { ...failed, toolCalls: [], denials: [] } : { type: 'run_finished', ...failed })}\n`);
}

/** The error's own code, else the name of the exit status, e.g. `usage`. */
function codeOf(error: unknown): string {
  const own = (error as { code?: unknown } | undefined)?.code;
  if (typeof own === 'string') return own;
  return nameOf(statusOfError(error));
}

function nameOf(status: ExitCode): string {
  const name = Object.entries(exitCode).find(([, value]) => value === status)?.[0] ?? 'failed';
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function messageOf(error: unknown): string {
  if (error instanceof CliError && error.remedy !== undefined) return `${error.message}\n${error.remedy}`;
  return error instanceof Error ? error.message : String(error);
}
