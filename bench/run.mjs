// `npm run bench [-- --quick] [-- --only NAME]`: installs the peers in this folder, runs every workload in interleaved rounds, prints a
// table a workload and writes results/*.json. With --quick every contestant's answer is checked and few rounds are run; a ratio that is
// far worse than the recorded one is printed, never failed, since machines are noisy. A wrong answer fails.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import events from 'node:events';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const folder = dirname(fileURLToPath(import.meta.url));
const results = join(folder, 'results');
const { values: flags } = parseArgs({ options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } } });
/** How many times worse than recorded a ratio may be before the quick run says so. */
const margin = 3;

// Some peers leave a listener behind at every turn; the warning of it is not what is measured.
events.defaultMaxListeners = Number.POSITIVE_INFINITY;
globalThis.AI_SDK_LOG_WARNINGS = false;
installPeers();
const { workloads } = await import('./workloads/index.mjs');
const { measure, table } = await import('./harness.mjs');

const costOfLoops = new Map();
for (const [name, make] of Object.entries(workloads)) {
  if (flags.only !== undefined && !name.includes(flags.only)) continue;
  const workload = await make({ quick: flags.quick });
  const figures = await measure(workload, flags.quick ? { rounds: Math.min(5, workload.rounds) } : {});
  console.log(table(workload, figures));
  console.log(growth(name, figures));
  if (flags.quick) compare(workload, figures);
  else record(workload, figures);
}

/** How the cost of a whole run grows with its turns, as an exponent: 1 is a cost per turn that stays the same. Said once both lengths were run in full. */
function growth(name, figures) {
  const [, turns] = /^loop (\d+) turns$/.exec(name) ?? [];
  if (turns === undefined || flags.quick) return '';
  costOfLoops.set(turns, figures);
  const shorter = costOfLoops.get('200');
  if (turns !== '800' || shorter === undefined) return '';
  for (const figure of figures) {
    const before = shorter.find((each) => each.name === figure.name);
    figure.extra = { 'growth 200 → 800': (1 + Math.log(figure.median / before.median) / Math.log(4)).toFixed(2) };
  }
  return `  growth exponent from 200 to 800 turns: ${figures.map(({ name: contestant, extra }) => `${contestant} ${Object.values(extra)[0]}`).join(', ')}\n`;
}

/** The heavy ones only for a full run, and without them where they cannot be installed. */
function installPeers() {
  if (!install(folder)) {
    console.error('bench: the peers could not be installed (npm ci in bench/). Is the package registry reachable?');
    process.exit(1);
  }
  if (flags.quick) console.log('quick: fewer rounds and sizes; Mastra and mcp-nest, which are large and need their own Node, are left out\n');
  else if (!install(join(folder, 'heavy'))) console.log('bench: Mastra and mcp-nest could not be installed (npm ci in bench/heavy) and are left out\n');
}

/** Again when the lock file changed. */
function install(cwd) {
  const installed = join(cwd, 'node_modules', '.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(cwd, 'package-lock.json')).mtimeMs) return true;
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  return status === 0;
}

function record(workload, figures) {
  mkdirSync(results, { recursive: true });
  const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length };
  writeFileSync(fileOf(workload), `${JSON.stringify({ workload: workload.name, what: workload.what, unit: workload.unit, machine, figures }, null, 2)}\n`);
}

function compare(workload, figures) {
  if (!existsSync(fileOf(workload))) return;
  const recorded = ratioOf(JSON.parse(readFileSync(fileOf(workload), 'utf8')).figures);
  const now = ratioOf(figures);
  if (recorded === undefined || now === undefined || now <= recorded * margin) return;
  console.log(`  NOTE: ${workload.name}: ours is ${now.toFixed(1)}× the floor here, recorded ${recorded.toFixed(1)}×; worth a full run.\n`);
}

/** Ours by the floor, or by the first contestant where there is none. */
function ratioOf(figures) {
  const base = figures.find(({ name }) => name === 'floor') ?? figures.find(({ name }) => name !== 'haft');
  const ours = figures.find(({ name }) => name === 'haft');
  return base && ours ? ours.median / base.median : undefined;
}

function fileOf(workload) {
  return join(results, `${workload.name.replaceAll(/[^a-z0-9]+/g, '-')}.json`);
}
