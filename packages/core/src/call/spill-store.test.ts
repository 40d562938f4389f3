// Results that were cut are kept whole where a tool can read them, without secrets, and go with their session.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { AuditRecord } from '../permission/ports.js';
import { createRedactor } from '../permission/redact.js';
import { ToolRegistry } from '../registry/tool-registry.js';
import { fakeTool, noServices } from '../testing/fake-tool.js';
import type { ToolContext } from '../tool/tool.js';
import { Workspace } from '../workspace/workspace.js';
import { createDispatcher } from './dispatch.js';
import { createSpillStore } from './spill-store.js';
import type { CallEvent } from './tool-call.js';

const base = mkdtempSync(join(tmpdir(), 'haft-spill-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe('SESS-06: what was cut can be fetched', () => {
  test('the whole lies in a private file of the session, which the workspace reads through an extra root', async () => {
    const registry = new ToolRegistry();
    const huge = Array.from({ length: 20_000 }, (_, line) => `line ${line} 語`).join('\n');
    registry.register(fakeTool({ name: 'big' }, () => huge), 'test');
    const folder = join(base, 'output');
    const dispatcher = createDispatcher({ registry, spill: createSpillStore(folder), limits: { maxOutputChars: 1_000 } });
    const result = await dispatcher.dispatch({ id: 'run:t1.2', name: 'big', arguments: '{}' }, { sessionId: 's/../1', signal: new AbortController().signal, services: noServices });
    const path = result.truncation?.spilledTo ?? '';
    expect(result.content).toContain(path);
    expect(path.startsWith(`${folder}/`)).toBe(true);
    expect(path).not.toContain('..');
    expect(readFileSync(path, 'utf8')).toBe(huge);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const workspace = await Workspace.open({ root: base, extraRoots: [{ path: folder, access: 'read' }] });
    expect((await workspace.resolve(path, 'read')).inside).toBe(true);
    workspace.close();
  });

  test('sessions and calls with odd ids stay apart, and a session can be forgotten', async () => {
    const store = createSpillStore(join(base, 'apart'));
    const ids = ['a', 'a.', '../a', 'a/b', 'a-b', '', 'x'.repeat(300), `${'x'.repeat(300)}y`];
    const paths = await Promise.all(ids.map((callId) => store.save(callId, { sessionId: 's', callId, tool: 't' })));
    expect(new Set(paths).size).toBe(ids.length);
    expect(paths.map((path) => readFileSync(path, 'utf8'))).toEqual(ids);
    await store.forget('s');
    await store.forget('never');
    expect(() => statSync(paths[0]!)).toThrow(/ENOENT/);
  });

  test('a folder that cannot be written leaves the result cut, with another hint', async () => {
    const registry = new ToolRegistry();
    registry.register(fakeTool({ name: 'big' }, () => 'x'.repeat(5_000)), 'test');
    writeFileSync(join(base, 'a-file'), '');
    const dispatcher = createDispatcher({ registry, spill: createSpillStore(join(base, 'a-file', 'output')), limits: { maxOutputChars: 1_000 } });
    const result = await dispatcher.dispatch({ id: 'c', name: 'big', arguments: '{}' }, { sessionId: 's', signal: new AbortController().signal, services: noServices });
    expect(result).toMatchObject({ success: true, truncation: { totalChars: 5_000 } });
    expect(result.truncation).not.toHaveProperty('spilledTo');
  });
});

describe('secrets', () => {
  const secret = 'sk-live-0123456789abcdef';
  const run = async (execute: (context: ToolContext) => unknown) => {
    const registry = new ToolRegistry();
    registry.register(fakeTool({ name: 'leak' }, (_args, context) => execute(context)), 'test');
    const events: CallEvent[] = [];
    const dispatcher = createDispatcher({ registry, redactor: createRedactor([secret]) });
    const result = await dispatcher.dispatch({ id: 'c', name: 'leak', arguments: '{}' }, { sessionId: 's', signal: new AbortController().signal, services: noServices, onEvent: (event) => void events.push(event) });
    return { result, events };
  };

  test('are taken out of data at any depth, of keys, in circles and in other encodings, and nothing else is changed', async () => {
    const when = new Date(0);
    const data: Record<string, unknown> = { stdout: `key=${secret}`, list: [1, { deep: secret }], [secret]: true, b64: Buffer.from(secret).toString('base64'), when };
    data['self'] = data;
    const { result } = await run(() => data);
    const shown = result.data as typeof data;
    expect(JSON.stringify(result)).not.toMatch(/sk-live|c2stbGl2/);
    expect(shown['when']).toBe('1970-01-01T00:00:00.000Z');
    expect(shown['self']).toBe('(circular)');
    expect(data['stdout']).toBe(`key=${secret}`);
    const harmless = { a: [1, 2] };
    expect((await run(() => harmless)).result.data).toBe(harmless);
  });

  test('are taken out of the audit, also one with quotes in it', async () => {
    const odd = 'pass"word\\0123';
    const records: AuditRecord[] = [];
    const registry = new ToolRegistry();
    registry.register(fakeTool({ name: 'use', scopes: ['write'] }), 'test');
    const allow = { decide: () => ({ verdict: 'allow' as const, reasons: [{ verdict: 'allow' as const, rule: 'test', source: { kind: 'flag' as const, where: 'test' } }] }) };
    const dispatcher = createDispatcher({ registry, policy: allow, redactor: createRedactor([odd]), audit: { append: (record) => { records.push(record); return Promise.resolve(); } } });
    const result = await dispatcher.dispatch({ id: 'c', name: 'use', arguments: JSON.stringify({ deep: [{ key: odd }] }) }, { sessionId: 's', signal: new AbortController().signal, services: noServices });
    expect(result.success).toBe(true);
    expect(records.map(({ event }) => event)).toEqual(['call_started', 'call_finished']);
    expect(JSON.stringify(records)).not.toMatch(/0123/);
  });

  test('are taken out of live output also where two chunks cut them, and out of progress; the last words are not lost', async () => {
    const { events, result } = await run(({ output, progress }) => {
      output('start ');
      output(secret.slice(0, 9));
      output(`${secret.slice(9)} middle `);
      progress({ done: 1, note: secret });
      output('end sk-li');
      return 'done';
    });
    const text = events.map((event) => (event.type === 'output' ? event.chunk : '')).join('');
    expect(text).toMatch(/^start .* middle end sk-li$/);
    expect(JSON.stringify(events)).not.toContain('0123456789');
    expect(result.success).toBe(true);
  });
});
