// What a refusal says: the resource as one would write it, and whether a rule or a mode decided.
import { expect, test } from '@jest/globals';
import { describeSource } from '../permission/explain.js';
import type { PermissionMode } from '../permission/permission-mode.js';
import { createPolicy } from '../permission/permission-policy.js';
import { ToolRegistry } from '../registry/tool-registry.js';
import { fakeTool, noServices } from '../testing/fake-tool.js';
import { createDispatcher } from './dispatch.js';

async function refusalOf(mode: PermissionMode, deny: string[]): Promise<string | undefined> {
  const registry = new ToolRegistry();
  registry.register(fakeTool({ name: 'bash', scopes: ['dangerous'], resources: [{ path: 'command', kind: 'command', access: 'write' }] }), 'test');
  const policy = createPolicy({ rules: [{ source: { kind: 'flag', where: 'flags' }, deny }], mode });
  const call = { id: 'c', name: 'bash', arguments: '{"command":"rm \'a b\'"}' };
  return (await createDispatcher({ registry, policy }).dispatch(call, { sessionId: 's', signal: new AbortController().signal, services: noServices })).error;
}

test('a command is shown as one would type it, a rule by its text and place, a mode as a reason', async () => {
  expect(await refusalOf('ask', ['bash(rm *)'])).toBe("bash on rm 'a b' is denied by the rule bash(rm *) (flags).");
  expect(await refusalOf('read-only', [])).toBe("bash on rm 'a b' is denied: only reading is allowed (permission mode read-only).");
});

test('a source says its kind once', () => {
  expect(describeSource({ kind: 'flag', where: 'flags' })).toBe('flags');
  expect(describeSource({ kind: 'flag', where: '--deny' })).toBe('flag --deny');
  expect(describeSource({ kind: 'project', where: 'agent.config.ts', line: 12 })).toBe('project agent.config.ts:12');
  expect(describeSource({ kind: 'default', where: 'permission mode ask' })).toBe('permission mode ask');
});
