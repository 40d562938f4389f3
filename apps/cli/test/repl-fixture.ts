// A conversation in a real pseudo-terminal with a scripted model behind a real HTTP server, and a project with a slow tool.
import { type ModelServer, type Script, startModelServer } from '@haft/agent/testing';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HaftHome } from './haft-process.js';
import { Screen, type ScreenOptions } from './screen.js';

export interface Session {
  screen: Screen;
  server: ModelServer;
}

export class ReplFixture {
  readonly haft = new HaftHome();
  readonly project = join(this.haft.folder, 'project');
  readonly #open: { close(): void | Promise<void> }[] = [];

  constructor() {
    mkdirSync(this.project, { recursive: true });
    writeFileSync(join(this.project, 'a.txt'), 'one\ntwo\nthree\n');
    writeFileSync(join(this.project, 'agent.config.ts'), config);
  }

  /** Starts `haft` on a terminal; without arguments it waits for the prompt. */
  async start(script: Script, args: readonly string[] = [], options: Partial<ScreenOptions> = {}): Promise<Session> {
    const server = await startModelServer(script);
    const env = { BASE_URL: server.openaiBaseURL, MODEL: 'openai:scripted', ...options.env };
    const screen = this.keep(new Screen(this.haft, ['--trust', ...args], { cwd: this.project, ...options, env }));
    this.#open.push(server);
    if (args.length === 0) await screen.waitFor(/^> *$/m);
    return { screen, server };
  }

  /** Closes the screen after the test. */
  keep(screen: Screen): Screen {
    this.#open.push(screen);
    return screen;
  }

  async closeAll(): Promise<void> {
    for (const item of this.#open.splice(0)) await item.close();
  }
}

const config = `import { defineConfig } from '@haft/cli';
import { definePlugin, tool } from '@haft/core';
import { fs } from '@haft/plugin-fs';
const wait = (_args, context) =>
  new Promise((resolve, reject) => { const timer = setTimeout(resolve, 60_000); context.signal.addEventListener('abort', () => { clearTimeout(timer); reject(context.signal.reason); }); });
const parameters = { type: 'object', properties: {} };
const slow = tool({ name: 'slow', description: 'Waits.', scopes: [], parameters }, wait);
const asked = tool({ name: 'slow_asked', description: 'Waits once it is approved.', scopes: ['dangerous'], parameters }, wait);
export default defineConfig({ plugins: [fs(), definePlugin({ name: 'slow', tools: [slow, asked] })()] });
`;

/** What the user said in the last request that the server got. */
export function userTexts({ requests }: ModelServer): unknown[] {
  return ((requests.at(-1)?.body.messages ?? []) as { role: string; content: unknown }[]).filter(({ role }) => role === 'user').map(({ content }) => content);
}
