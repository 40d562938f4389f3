// `haft tools run [FILE]`: a script of calls, one JSON value a line, all in one session; one ToolResult a line, in call order.
import { dispatcherRunner, runOrchestration, type ToolResult } from '@haft/core';
import { CliError, type ExitCode, exitCode } from '../exit-code.js';
import { readText } from '../config/read-text.js';
import { safeJson } from '../output/safe-json.js';
import { type DirectCalls, exitStatusOfResult, withDirectCalls } from '../run/direct-calls.js';
import { parseScript, type ScriptLine } from '../run/script.js';
import type { Invocation } from './program.js';

/** Every line is read before the first call is made: a script with an error runs nothing. */
export async function runScript(file: string | undefined, invocation: Invocation): Promise<ExitCode> {
  if (file === undefined && process.stdin.isTTY) throw new CliError('There is no script: give a file, or pipe the calls in.', exitCode.usage);
  const lines = parseScript(await readText(file), file ?? 'stdin');
  return withDirectCalls(invocation, async (calls) => {
    let status: ExitCode = exitCode.done;
    for (const line of lines) {
      for await (const result of resultsOf(line, calls)) {
        invocation.terminal.answer(`${safeJson(result)}\n`);
        const own = exitStatusOfResult(result, calls.stop);
        if (status === exitCode.done || own > exitCode.unanswered) status = own;
      }
      if (calls.stop.signal.aborted) break;
    }
    return status;
  });
}

async function* resultsOf(line: ScriptLine, { call, runtime, context }: DirectCalls): AsyncGenerator<ToolResult> {
  switch (line.kind) {
    case 'call':
      yield await call(line.call);
      return;
    case 'parallel':
      yield* await Promise.all(line.calls.map(call));
      return;
    case 'orchestration':
      yield* (await runOrchestration(line.value, dispatcherRunner(runtime.dispatcher, context, line.id))).results;
  }
}
