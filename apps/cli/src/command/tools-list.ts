// `haft tools list`: what the model is shown, as a table or as a provider sees it.
import { toAnthropic, toGemini, toMcp, toOpenAI, toOpenAIStrict, type ToolDefinition } from '@haft/core';
import { type ExitCode, exitCode } from '../exit-code.js';
import { safeJson } from '../output/safe-json.js';
import { sanitiseLine } from '../output/sanitise.js';
import { showTable } from '../output/table.js';
import { openRuntime } from '../run/runtime.js';
import { firstSentence } from '../text/first-sentence.js';
import type { Invocation } from './program.js';
import type { ListFormat } from './tool-commands.js';

const dialects: Readonly<Record<Exclude<ListFormat, 'table' | 'json'>, (tool: ToolDefinition) => unknown>> = {
  openai: toOpenAI,
  'openai-strict': toOpenAIStrict,
  anthropic: toAnthropic,
  gemini: toGemini,
  mcp: toMcp,
};

export async function listTools(format: ListFormat, invocation: Invocation): Promise<ExitCode> {
  const runtime = await openRuntime(invocation);
  try {
    const { terminal } = invocation;
    if (format === 'table') showTable(['NAME', 'SCOPES', 'PLUGIN', 'DESCRIPTION'], runtime.tools.map(asRow), terminal);
    else terminal.answer(`${safeJson(runtime.tools.map(format === 'json' ? asData : dialects[format]), 2)}\n`);
    for (const { tool, plugin, reason } of runtime.host.withheld) {
      terminal.note(terminal.colors.yellow(sanitiseLine(`${tool} (plugin ${plugin}) is not offered here: ${reason}`)));
    }
    return exitCode.done;
  } finally {
    await runtime.dispose();
  }
}

function asRow({ name, scopes, plugin, description }: ToolDefinition): string[] {
  return [name, scopes.join(',') || '-', plugin ?? '-', firstSentence(description)];
}

/** The record without its functions. */
function asData(tool: ToolDefinition): object {
  return Object.fromEntries(Object.entries(tool).filter(([, value]) => typeof value !== 'function'));
}
