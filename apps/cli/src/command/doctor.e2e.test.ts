// `haft doctor` finds what is wrong, and what would mend it.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startModelServer } from '@haft/agent/testing';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { HaftHome } from '../../test/haft-process.js';

const haft = new HaftHome();
const project = join(haft.folder, 'project');
beforeAll(() => mkdirSync(project));
afterAll(() => haft.remove());

interface Report {
  ok: boolean;
  checks: { name: string; status: string; message: string; remedy?: string }[];
}

async function doctor(env: Record<string, string> = {}, ...flags: string[]): Promise<{ code: number | null; report: Report }> {
  const { code, stdout } = await haft.run([...flags, 'doctor', '--json'], { cwd: project, env });
  return { code, report: JSON.parse(stdout) as Report };
}

const found = ({ checks }: Report, name: string): Report['checks'] => checks.filter((check) => check.name === name);

test('a healthy machine: every part is looked at', async () => {
  const { report } = await doctor();
  for (const name of ['node', 'terminal', 'config', 'state', 'sessions', 'audit', 'grants', 'model', 'plugins', 'strict mode']) {
    expect(found(report, name)[0]).toMatchObject({ status: 'ok' });
  }
  expect(found(report, 'sandbox')).toHaveLength(1);
  const lines = (await haft.run(['doctor'], { cwd: project })).stdout;
  expect(lines).toMatch(/^✓ node +\d+\./m);
});

test('a server that does not answer, one that refuses the key, one that takes it', async () => {
  let status = 401;
  const server = createServer((_request, response) => response.writeHead(status).end('{}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const env = { MODEL: 'openai:x', MODEL_API_KEY: 'sk-secret-value', BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
  const refused = await doctor(env);
  expect(refused.code).toBe(1);
  expect(found(refused.report, 'model server')[0]).toMatchObject({ status: 'problem', message: expect.stringContaining('refuses the key') });
  expect(JSON.stringify(refused.report)).not.toContain('sk-secret-value');
  status = 200;
  expect(found((await doctor(env)).report, 'model server')[0]).toMatchObject({ status: 'ok' });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  expect(found((await doctor(env)).report, 'model server')[0]).toMatchObject({ status: 'problem', message: expect.stringContaining('does not answer') });
});

test('a model server without a list of models is a warning', async () => {
  const server = await startModelServer([]);
  expect(found((await doctor({ MODEL: 'openai:x', BASE_URL: server.openaiBaseURL })).report, 'model server')[0]).toMatchObject({ status: 'warning' });
  await server.close();
});

test('a missing key, a mistyped variable, an untrusted config, an open state folder: each with its remedy', async () => {
  expect(found((await doctor({}, '-m', 'anthropic:x')).report, 'model')[0]).toMatchObject({ status: 'problem', remedy: expect.stringContaining('ANTHROPIC_API_KEY') });
  expect(found((await doctor({ HAFT_MODLE: 'x' })).report, 'environment')[0]).toMatchObject({ status: 'warning', message: expect.stringContaining('Did you mean "HAFT_MODEL"?') });
  writeFileSync(join(project, 'agent.config.ts'), 'export default {};');
  expect(found((await doctor()).report, 'config')[0]).toMatchObject({ status: 'problem', remedy: expect.stringContaining('--trust') });
  chmodSync(join(haft.folder, 'state'), 0o755);
  expect(found((await doctor()).report, 'state')[0]).toMatchObject({ status: 'problem', message: expect.stringContaining('read by others') });
});

test('a rule on commands that grants more than it seems is a warning, here and in the list of rules', async () => {
  const flags = ['--allow', 'bash(git *)', '--allow', 'bash(git status)'];
  const cwd = join(haft.folder, 'plain');
  mkdirSync(cwd);
  const report = JSON.parse((await haft.run([...flags, 'doctor', '--json'], { cwd })).stdout) as Report;
  expect(found(report, 'rule')).toEqual([expect.objectContaining({ status: 'warning', message: expect.stringMatching(/bash\(git \*\).*discarding work/), remedy: expect.any(String) })]);
  const list = await haft.run([...flags, 'permissions', 'list'], { cwd });
  expect(list.stderr).toMatch(/bash\(git \*\) allows everything git can do/);
  const { rules } = JSON.parse((await haft.run([...flags, 'permissions', 'list', '--json'], { cwd })).stdout) as { rules: { rule: string; warning?: string }[] };
  expect(rules).toEqual([expect.objectContaining({ rule: 'bash(git *)', warning: expect.any(String) }), expect.not.objectContaining({ warning: expect.anything() })]);
});
