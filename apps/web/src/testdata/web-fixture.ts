/** A running server over a temporary workspace and a scripted model, and a client for it. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Agent, type ModelRequest, SessionStore, createAgent } from '@haft/agent';
import { type Script, scriptedModel } from '@haft/agent/testing';
import { PluginHost, type ServiceRecipe, type ToolSource, Workspace, createAccessResolver, createDispatcher, createPolicy, definePlugin } from '@haft/core';
import { type Wire, openWire } from './wire.js';
import type { WebLimits } from '../server/web-host.js';
import { type WebServer, startWebServer } from '../server/web-server.js';

export interface WebFixture {
  server: WebServer;
  /** The page's address through a wire that can be cut. */
  pageUrl: string;
  wire: Wire;
  root: string;
  /** What the model was asked, oldest first. */
  modelRequests: readonly ModelRequest[];
  /** A request with the token and a JSON body. */
  api(path: string, options?: { method?: string; body?: unknown; headers?: Record<string, string>; signal?: AbortSignal }): Promise<Response>;
  close(): Promise<void>;
}

export interface FixtureOptions {
  script: Script;
  tools?: readonly ToolSource[];
  services?: readonly ServiceRecipe[];
  /** Sessions on disk as in a real run. Default: without waiting for the disk. */
  durable?: boolean;
  /** What making an agent fails with. */
  agentError?: Error;
  /** Told to each agent when its run is over for the model. */
  toldLate?: string;
  limits?: Partial<WebLimits>;
}

export async function openFixture({ script, tools = [], services = [], durable = false, agentError, toldLate, limits = {} }: FixtureOptions): Promise<WebFixture> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'haft-web-')));
  const workspace = await Workspace.open({ root: base, deny: ['state/**'] });
  writeFileSync(join(base, 'notes.txt'), 'first line\n');
  const plugin = definePlugin({ name: 'files', tools, services });
  const host = await PluginHost.start({ plugins: [plugin()], services: [{ provide: Workspace, useValue: workspace }], root: base });
  const dispatcher = createDispatcher({ registry: host.registry, policy: createPolicy({ rules: [] }), resolver: createAccessResolver(workspace) });
  const model = scriptedModel(script);
  const wire = await openWire();
  const server = await startWebServer({
    port: 0,
    limits,
    hosts: [`127.0.0.1:${wire.port}`],
    host: {
      tools: host.registry.list(),
      dispatcher,
      sessions: SessionStore.open(join(base, 'state'), { durable }),
      root: base,
      model: 'scripted:model',
      openAgent: (session, gated) => (agentError ? Promise.reject(agentError) : Promise.resolve(tellLate(createAgent({ model, host, dispatcher: gated, session }), toldLate))),
      openServices: (sessionId) => host.openSession(sessionId),
    },
  });
  wire.lead(Number(new URL(server.url).port));
  return {
    server,
    wire,
    pageUrl: server.pageUrl.replace(server.url, `http://127.0.0.1:${wire.port}`),
    root: base,
    modelRequests: model.requests,
    api: (path, options = {}) => request(server, path, options),
    close: async () => {
      await wire.close();
      await server.close();
      await host.dispose();
      workspace.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

/** As if the user had written just when the last answer was done; once. */
function tellLate(agent: Agent, text: string | undefined): Agent {
  const run = agent.run.bind(agent);
  let left = text;
  agent.run = async function* (input, options = {}) {
    const events = run(input, options);
    for (;;) {
      const next = await events.next();
      if (next.done === true) return next.value as never;
      if (next.value.type === 'run_finished' && left !== undefined) await agent.steer(left);
      if (next.value.type === 'run_finished') left = undefined;
      yield next.value;
    }
  };
  return agent;
}

function request(server: WebServer, path: string, options: Parameters<WebFixture['api']>[1] = {}): Promise<Response> {
  const method = options.method ?? (options.body === undefined ? 'GET' : 'POST');
  return fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${server.token}`, ...(method === 'GET' ? {} : { 'content-type': 'application/json' }), ...options.headers },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
}

export interface StreamedEvent {
  id?: string;
  event: string;
  data: Record<string, unknown>;
}

/** Reads server-sent events until `until` says so, or the stream ends. */
export async function readEvents(response: Response, until: (event: StreamedEvent) => boolean = () => false): Promise<StreamedEvent[]> {
  const events: StreamedEvent[] = [];
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let buffer = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return events;
    buffer += decoder.decode(value, { stream: true });
    for (let end = buffer.indexOf('\n\n'); end >= 0; end = buffer.indexOf('\n\n')) {
      const event = parseBlock(buffer.slice(0, end));
      buffer = buffer.slice(end + 2);
      if (!event) continue;
      events.push(event);
      if (!until(event)) continue;
      await reader.cancel();
      return events;
    }
  }
}

function parseBlock(block: string): StreamedEvent | undefined {
  const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
  const data = field('data');
  if (data === undefined) return undefined;
  const id = field('id');
  return { event: field('event') ?? 'message', data: JSON.parse(data) as Record<string, unknown>, ...(id === undefined ? {} : { id }) };
}
