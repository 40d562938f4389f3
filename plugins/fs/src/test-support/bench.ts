/** A temporary workspace and the file tools over the real dispatcher, for tests: no plugin host, every call allowed. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  type Class, type PermissionPolicy, type ServiceProvider, type ToolResult, ToolRegistry, Workspace, type WorkspaceOptions, createAccessResolver, createDispatcher, definitionsOf,
} from '@haft/core';
import { ProcessRunner } from '@haft/process';
import { EditFile, Glob, ListDir, ReadFile, WriteFile } from '../index.js';
import { ChangeHistory } from '../edit/change-history.js';

const allowAll: PermissionPolicy = { decide: () => ({ verdict: 'allow', reasons: [{ verdict: 'allow', rule: 'test', source: { kind: 'default', where: 'test' } }] }) };

export class Bench {
  private calls = 0;

  private constructor(readonly base: string, readonly root: string, readonly workspace: Workspace, private readonly dispatcher: ReturnType<typeof createDispatcher>, private readonly services: ServiceProvider) {}

  static async open(options: Partial<WorkspaceOptions> = {}): Promise<Bench> {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'haft-fs-')));
    const root = join(base, 'work');
    mkdirSync(root);
    const workspace = await Workspace.open({ root, ...options });
    const services = servicesOf(new Map<unknown, unknown>([[Workspace, workspace], [ChangeHistory, new ChangeHistory()], [ProcessRunner, new ProcessRunner()]]));
    const registry = new ToolRegistry();
    for (const source of [ReadFile, WriteFile, EditFile, Glob, ListDir]) for (const definition of definitionsOf(source)) registry.register(definition, 'fs');
    const dispatcher = createDispatcher({ registry, policy: allowAll, resolver: createAccessResolver(workspace) });
    return new Bench(base, root, workspace, dispatcher, services);
  }

  close(): void {
    this.workspace.close();
    rmSync(this.base, { recursive: true, force: true });
  }

  /** One call through the dispatcher. */
  call(tool: string, args: object, sessionId = 's'): Promise<ToolResult> {
    const call = { id: `c${this.calls++}`, name: tool, arguments: JSON.stringify(args) };
    return this.dispatcher.dispatch(call, { sessionId, signal: new AbortController().signal, services: this.services });
  }

  /** The text of a result; fails unless the call succeeded. */
  async text(tool: string, args: object, sessionId = 's'): Promise<string> {
    const result = await this.call(tool, args, sessionId);
    if (!result.success) throw new Error(`${tool} failed: ${result.code}: ${result.error}`);
    return contentOf(result);
  }

  /** The code of a call that must fail, and its text. */
  async failure(tool: string, args: object): Promise<{ code: string; text: string }> {
    const result = await this.call(tool, args);
    return { code: result.success ? 'no error' : (result.code ?? 'no code'), text: contentOf(result) };
  }

  put(path: string, content: string | Uint8Array): void {
    const full = join(this.root, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content);
  }

  bytes(path: string): Buffer {
    return readFileSync(join(this.root, path));
  }

  read(path: string): string {
    return this.bytes(path).toString('utf8');
  }

  /** Runs a shell line in the workspace, to set a case up. */
  shell(line: string): void {
    execFileSync('bash', ['-c', line], { cwd: this.root });
  }
}

export function contentOf(result: ToolResult): string {
  return typeof result.content === 'string' ? result.content : result.content.map((part) => (part.type === 'text' ? part.text : `<${part.mediaType}>`)).join('\n');
}

/** Constructs a tool from the types of its constructor's parameters, as the plugin host does. */
function servicesOf(known: ReadonlyMap<unknown, unknown>): ServiceProvider {
  const get = (id: unknown) => {
    if (!known.has(id)) throw new Error('No such service in this test.');
    return known.get(id) as never;
  };
  return {
    get,
    create: (target: Class) => {
      const types = (Reflect as unknown as { getMetadata(key: string, of: object): unknown[] | undefined }).getMetadata('design:paramtypes', target) ?? [];
      return Reflect.construct(target as unknown as new (...services: unknown[]) => never, types.map(get)) as never;
    },
  };
}
