// Plugins and their tools: whether they start, what they withhold, rules on commands that grant much, the sandbox, strict mode.
import { describeSource, strictnessReasons, type ToolDefinition, wideRules } from '@haft/core';
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
      ...checkRules(runtime),
      await checkSandbox(runtime),
      ...checkStrictness(tools),
    ];
  } finally {
    await runtime.dispose();
  }
}

function checkRules({ permission, host }: Runtime): Finding[] {
  const takeCommands = host.registry.list().filter(({ resources }) => resources.some(({ kind }) => kind === 'command'));
  const wide = wideRules(permission.policy.rules, takeCommands.map(({ name }) => name));
  return wide.map(({ rule, message }) => warning('rule', `${rule.rule.text} (${describeSource(rule.source)}) ${message}`, 'Name what you mean, e.g. "bash(git log *)"; docs/permissions.md says what a wildcard stands for.'));
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
