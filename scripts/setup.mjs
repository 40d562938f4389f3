// Makes a checkout runnable: installs when the lock file changed, then compiles and bundles what changed. Runs before start, test and check.
// Everything it says goes to stderr, so that the standard output of `npm start` is the answer alone.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PNPM = 'pnpm@12.4.2';
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, 'node_modules', '.haft-setup');
const verbose = process.argv.includes('--verbose');

requireNode(20, 19);
install();
compile();
await bundle();
if (verbose) say('dependencies and build are up to date.');

function requireNode(major, minor) {
  const [haveMajor, haveMinor] = process.versions.node.split('.').map(Number);
  if (haveMajor > major || (haveMajor === major && haveMinor >= minor)) return;
  fail(`Haft needs Node ${major}.${minor} or newer; this is ${process.versions.node} (${process.execPath}).`);
}

function install() {
  const wanted = fingerprint();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  say('installing dependencies (about half a minute the first time) …');
  const args = ['--yes', PNPM, 'install', '--frozen-lockfile', '--config.confirmModulesPurge=false'];
  const result = run('npx', args, process.platform === 'win32');
  if (result.status !== 0) {
    fail(`The install failed (npx ${args.join(' ')}). Is the package registry reachable, and does pnpm-lock.yaml match the package.json files?`, result);
  }
  writeFileSync(stamp, wanted);
}

function compile() {
  const result = run(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b', '--pretty', 'false']);
  if (result.status !== 0) fail('The build failed (tsc -b).', result);
}

async function bundle() {
  const { bundleAll } = await import('./bundle.mjs');
  await bundleAll(root).catch((error) => fail(`The build failed (bundling): ${error.message}`));
}

/** Changes with the lock file, the workspace settings and the platform that the native packages were installed for. */
function fingerprint() {
  const hash = createHash('sha256').update(`${PNPM} ${process.platform} ${process.arch}`);
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) hash.update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

function run(command, args, shell = false) {
  return spawnSync(command, args, { cwd: root, shell, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 2 ** 26 });
}

function say(text) {
  process.stderr.write(`setup: ${text}\n`);
}

function fail(text, result) {
  if (result !== undefined) process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}`);
  if (result?.error !== undefined) process.stderr.write(`${result.error.message}\n`);
  say(text);
  process.exit(1);
}
