// `haft tools search QUERY`: the tools that fit best, with their scores.
import { type ExitCode, exitCode } from '../exit-code.js';
import { sanitiseLine } from '../output/sanitise.js';
import { openRuntime } from '../run/runtime.js';
import type { Invocation } from './program.js';

export async function searchTools(query: string, count: number, invocation: Invocation): Promise<ExitCode> {
  const runtime = await openRuntime(invocation);
  try {
    const found = runtime.host.registry.shortlist(query, count);
    for (const { tool, score } of found) invocation.terminal.answer(`${score.toFixed(3)}  ${tool.name}  ${sanitiseLine(tool.description)}\n`);
    if (found.length === 0) invocation.terminal.note('No tool fits.');
    return exitCode.done;
  } finally {
    await runtime.dispose();
  }
}
