/** A temporary workspace with tools over the real dispatcher, for the tests of a plugin: every call is allowed unless a policy is given. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { DispatcherOptions } from '../call/call-ports.js';
import { createDispatcher } from '../call/dispatch.js';
import type { Dispatcher, ToolResult } from '../call/tool-call.js';
import { createAccessResolver } from '../permission/access-resolver.js';
import type { PermissionPolicy } from '../permission/ports.js';
import type { ToolSource } from '../plugin/plugin.js';
import { ToolRegistry } from '../registry/tool-registry.js';
import { definitionsOf } from '../tool/define-tool.js';
import { ownConstructorTypes } from '../tool/tool-metadata.js';
import type { Class, ServiceProvider } from '../tool/tool.js';
import type { WorkspaceOptions } from '../workspace/workspace-types.js';
import { Workspace } from '../workspace/workspace.js';

export interface ToolBenchOptions {
  tools: readonly ToolSource[];
  /** What constructors get beside `Workspace`: instances, found by their class. */
  services?: readonly object[];
  workspace?: Partial<Omit<WorkspaceOptions, 'root'>>;
  policy?: PermissionPolicy;
  /** More of the dispatcher's options, e.g. a clock from `fakeClock()`. */
  dispatcher?: Partial<Omit<DispatcherOptions, 'registry'>>;
}

const allowAll: PermissionPolicy = {
  decide: () => ({ verdict: 'allow', reasons: [{ verdict: 'allow', rule: 'everything, for a test', source: { kind: 'default', where: 'ToolBench' } }] }),
};

export class ToolBench {
  private calls = 0;

  private constructor(
    /** A fresh temporary folder; the workspace is the folder `work` in it. */
    readonly base: string,
    readonly workspace: Workspace,
    private readonly dispatcher: Dispatcher,
    private readonly services: ServiceProvider,
  ) {}

  /** Makes the folder; `close` removes it. */
  static async open(options: ToolBenchOptions): Promise<ToolBench> {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'haft-bench-')));
    mkdirSync(join(base, 'work'));
    const workspace = await Workspace.open({ root: join(base, 'work'), ...options.workspace });
    const registry = new ToolRegistry();
    for (const source of options.tools) for (const definition of definitionsOf(source)) registry.register(definition, 'bench');
    const dispatcher = createDispatcher({ registry, policy: options.policy ?? allowAll, resolver: createAccessResolver(workspace), ...options.dispatcher });
    return new ToolBench(base, workspace, dispatcher, instancesAsServices([workspace, ...(options.services ?? [])]));
  }

  close(): void {
    this.workspace.close();
    rmSync(this.base, { recursive: true, force: true });
  }

  get root(): string {
    return this.workspace.root;
  }

  /** One call through the dispatcher. */
  call(tool: string, args: object, sessionId = 'bench', signal: AbortSignal = new AbortController().signal): Promise<ToolResult> {
    const call = { id: `call-${this.calls++}`, name: tool, arguments: JSON.stringify(args) };
    return this.dispatcher.dispatch(call, { sessionId, signal, services: this.services });
  }

  /** What the model reads of a call that must succeed. */
  async text(tool: string, args: object, sessionId?: string): Promise<string> {
    const result = await this.call(tool, args, sessionId);
    if (!result.success) throw new Error(`${tool} failed: ${result.code}: ${result.error}`);
    return contentText(result);
  }

  /** The code of a call that must fail, and what the model reads of it. */
  async failure(tool: string, args: object, sessionId?: string): Promise<{ code: string; text: string }> {
    const result = await this.call(tool, args, sessionId);
    return { code: result.success ? 'no error' : (result.code ?? 'no code'), text: contentText(result) };
  }

  /** Puts a file into the workspace, past all tools. */
  put(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), content);
  }

  /** What a file of the workspace holds. */
  bytes(path: string): Buffer {
    return readFileSync(join(this.root, path));
  }

  read(path: string): string {
    return this.bytes(path).toString('utf8');
  }
}

function contentText(result: ToolResult): string {
  if (typeof result.content === 'string') return result.content;
  return result.content.map((part) => (part.type === 'text' ? part.text : `<${part.mediaType}>`)).join('\n');
}

/** Constructs a tool from the types of its constructor's parameters, as the plugin host does. */
function instancesAsServices(instances: readonly object[]): ServiceProvider {
  const get = (id: unknown) => {
    const found = instances.find((instance) => instance.constructor === id);
    if (found === undefined) throw new Error(`No service ${typeof id === 'function' ? id.name : String(id)} on this bench.`);
    return found as never;
  };
  const create = (target: Class) => Reflect.construct(target as unknown as new (...services: object[]) => object, (ownConstructorTypes(target) ?? []).map(get)) as never;
  return { get, create };
}
