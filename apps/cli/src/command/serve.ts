// `haft serve`: the page and the API on loopback, over the same runtime as every other command.
import { type WebServer, startWebServer } from '@haft/web';
import { type ExitCode, exitCode } from '../exit-code.js';
import { agentOf, modelName, openChosenModel } from '../run/open-agent.js';
import { openSessionStore } from '../run/open-session.js';
import { type Runtime, openRuntime } from '../run/runtime.js';
import { onStopSignals } from '../run/stop-signals.js';
import type { Invocation } from './program.js';

export interface ServeOptions {
  port: number;
  host: string;
}

/** Serves until it is interrupted. The page's address, token included, goes to stdout: it is what the command is asked for. */
export async function runServe(options: ServeOptions, invocation: Invocation): Promise<ExitCode> {
  const signals = onStopSignals();
  const runtime = await openRuntime(invocation);
  try {
    const server = await start(runtime, options, invocation);
    invocation.terminal.answer(`${server.pageUrl}\n`);
    invocation.terminal.note(`Serving ${runtime.resolved.root}. Whoever has this address can use it; Ctrl-C ends it.`);
    await untilAborted(signals.signal);
    await server.close();
    return signals.status() ?? exitCode.done;
  } finally {
    await runtime.dispose();
    signals.release();
  }
}

async function start(runtime: Runtime, { port, host }: ServeOptions, invocation: Invocation): Promise<WebServer> {
  const model = await openChosenModel(runtime, invocation);
  return startWebServer({
    port,
    address: host,
    host: {
      tools: runtime.tools,
      dispatcher: runtime.dispatcher,
      sessions: openSessionStore(),
      root: runtime.resolved.root,
      model: modelName(model),
      openAgent: (session, dispatcher) => Promise.resolve(agentOf(runtime, { model, session, dispatcher })),
      openServices: (sessionId) => runtime.host.openSession(sessionId),
      log: runtime.log,
    },
  });
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
