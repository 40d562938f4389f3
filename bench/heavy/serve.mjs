// The process of a heavy contestant: answers requests, a JSON line each, and measures its own work. Usage: node serve.mjs NAME
import events from 'node:events';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';

events.defaultMaxListeners = Number.POSITIVE_INFINITY;
globalThis.AI_SDK_LOG_WARNINGS = false;
const contestant = await import(`./${process.argv[2]}.mjs`);
const runs = new Map();

for await (const line of createInterface({ input: process.stdin })) {
  const { workload, times, per, args } = JSON.parse(line);
  if (!runs.has(workload)) runs.set(workload, await contestant[workload]());
  const run = runs.get(workload);
  const cpu = process.cpuUsage();
  const started = performance.now();
  let answer;
  for (let index = 0; index < times; index += 1) answer = await run(args);
  const ms = (performance.now() - started) / times / per;
  const { user, system } = process.cpuUsage(cpu);
  process.stdout.write(`${JSON.stringify({ ms, cpuMs: (user + system) / 1000 / times / per, answer })}\n`);
}
process.exit(0);
