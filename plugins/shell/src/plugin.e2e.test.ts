// The plugin in a real host: what each setting of the sandbox means.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PluginHost, type ToolResult, Workspace, createAccessResolver, createDispatcher, createPolicy } from '@haft/core';
import { ProcessRunner } from '@haft/process';
import type { CommandReport } from './command-report.js';
import { shell } from './plugin.js';
import type { ShellOptions } from './shell-options.js';

let folder = '';
const hosts: PluginHost[] = [];

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'haft-shell-')));
});
afterAll(async () => {
  for (const host of hosts) await host.dispose();
  rmSync(folder, { recursive: true, force: true });
});

async function start(options: Partial<ShellOptions>, root = folder): Promise<PluginHost> {
  const workspace = await Workspace.open({ root, openSecrets: ['open.pem'] });
  const services = [{ provide: Workspace, useValue: workspace }, { provide: ProcessRunner, useValue: new ProcessRunner() }];
  const host = await PluginHost.start({ plugins: [shell(options)], services, root });
  hosts.push(host);
  return host;
}

/** One call in a session of its own, under these allow rules; nobody can be asked. */
async function bash(host: PluginHost, command: string, allow: string[] = ['bash']): Promise<ToolResult> {
  const policy = createPolicy({ rules: [{ source: { kind: 'user', where: 'test' }, allow }], mode: 'ask' });
  const dispatcher = createDispatcher({ registry: host.registry, policy, resolver: createAccessResolver(host.services.get(Workspace)) });
  const session = host.openSession('test');
  try {
    return await dispatcher.dispatch({ id: 'call', name: 'bash', arguments: JSON.stringify({ command }) }, { sessionId: 'test', signal: new AbortController().signal, services: session });
  } finally {
    await session.dispose();
  }
}

describe("sandbox: 'required' is the default", () => {
  test('where the self-test passes, bash runs inside', async () => {
    const host = await start({});
    expect(host.withheld).toEqual([]);
    expect(host.registry.list().map(({ name, confirm }) => [name, confirm])).toEqual([['bash', false], ['bash_output', false], ['bash_kill', false]]);
    const result = await bash(host, 'grep Seccomp: /proc/self/status');
    expect(result).toMatchObject({ success: true, data: { sandbox: 'bubblewrap', stdout: expect.stringMatching(/Seccomp:\s2/) } });
  });

  test('commands see nothing of what usually holds secrets, but for what the user opened', async () => {
    for (const name of ['.env', 'closed.pem', 'open.pem', '.env.example']) writeFileSync(join(folder, name), `text of ${name}\n`);
    const result = await bash(await start({}), 'cat .env closed.pem open.pem .env.example; true');
    expect(result).toMatchObject({ success: true, data: { stdout: 'text of open.pem\ntext of .env.example\n' } });
  });

  test('where it fails, the tools are withheld, with cause and remedy, and nothing runs', async () => {
    const host = await start({}, '/');
    expect(host.registry.list()).toEqual([]);
    expect(host.withheld.map(({ tool }) => tool)).toEqual(['bash', 'bash_output', 'bash_kill']);
    expect(host.withheld[0]?.reason).toMatch(/no sandbox: .*folder of the system.* Remedy: /);
  });
});

test("sandbox: 'preferred' asks at every call where there is none", async () => {
  expect((await start({ sandbox: 'preferred' })).registry.get('bash')?.confirm).toBe(false);
  const host = await start({ sandbox: 'preferred' }, '/');
  expect(host.registry.get('bash')?.confirm).toBe(true);
  expect(await bash(host, 'true')).toMatchObject({ success: false, code: 'approval_unavailable' });
});

describe("sandbox: 'off'", () => {
  test('needs a second word in our own environment', async () => {
    await expect(start({ sandbox: 'off' })).rejects.toThrow(/HAFT_SANDBOX=off/);
  });

  test('then runs with the rights of the user, and says so', async () => {
    process.env['HAFT_SANDBOX'] = 'off';
    try {
      const host = await start({ sandbox: 'off' });
      const result = await bash(host, 'echo hi');
      expect((result.data as CommandReport).sandbox).toBeUndefined();
      expect(result.content).toBe('hi\n[ran without a sandbox]');
    } finally {
      delete process.env['HAFT_SANDBOX'];
    }
  });
});

test('wrong options name the field', async () => {
  await expect(start({ sandbox: 'sometimes' as 'off' })).rejects.toThrow(/sandbox/);
  await expect(start({ timeoutMs: 0 })).rejects.toThrow(/timeoutMs/);
});

test('SBOX-12: with the scopes read and write alone, bash is not reachable; with dangerous it is', async () => {
  const host = await start({});
  expect(await bash(host, 'echo ran', ['scope:read', 'scope:write'])).toMatchObject({ success: false, code: 'approval_unavailable' });
  expect(await bash(host, 'echo ran', ['scope:dangerous'])).toMatchObject({ success: true, content: 'ran' });
});
