// Plugins and their tools: whether they start, what they withhold, the sandbox, and where strict mode cannot be had.
import { strictnessReasons, type ToolDefinition } from '@haft/core';
import { createSandbox } from '@haft/process';
import type { Invocation } from '../command/program.js';
import { openRuntime, type Runtime } from '../run/runtime.js';
import { type Finding, ok, problem, problemOf, warning } from './check.js';

export async function pluginChecks(invocation: Invocation): Promise<Finding[]> {
  let runtime: Runtime;
  try {
    runtime = await openRuntime(invocation);
  } catch (error) {
    return [problemOf('plugins', error)];
  }
  try {
    const { registry, withheld } = runtime.host;
    const tools = registry.list();
    const plugins = new Set(tools.map(({ plugin }) => plugin));
    return [
      ok('plugins', `${plugins.size} started, ${tools.length} tools`),
      ...withheld.map(({ tool, plugin, reason }) => problem('tool', `${tool} (plugin ${plugin}) is not offered: ${reason}`)),
      await checkSandbox(runtime),
      ...checkStrictness(tools),
    ];
  } finally {
    await runtime.dispose();
  }
}

async function checkSandbox({ resolved }: Runtime): Promise<Finding> {
  const sandbox = createSandbox({ root: resolved.root });
  try {
    const { ok: works, detail, cause, remedy } = await sandbox.probe();
    if (works) return ok('sandbox', `${sandbox.name}: ${detail}`);
    return problem('sandbox', `none works here: ${cause ?? 'the self-test failed'} (passed: ${detail === '' ? 'nothing' : detail})`, remedy);
  } finally {
    sandbox.dispose?.();
  }
}

/** OpenAI alone has a strict mode with limits of its own; the others take the schema as it is. */
function checkStrictness(tools: readonly ToolDefinition[]): Finding[] {
  const loose = tools.filter((tool) => strictnessReasons(tool).length > 0);
  const strict = ok('strict mode', `${tools.length - loose.length} of ${tools.length} tools can be sent to OpenAI with strict: true; Anthropic, Gemini and MCP take all schemas`);
  return [strict, ...loose.map((tool) => warning('strict mode', `${tool.name} cannot: ${strictnessReasons(tool).join(' ')}`))];
}
