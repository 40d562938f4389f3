// Everything that is checked beside behaviour: types (tests too), lint with size limits, unused code, architecture. Runs all parts, then judges.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = (...path) => join(root, 'node_modules', ...path);
const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', bin('jest', 'bin', 'jest.js')];

const parts = [
  ['types of tests, tools and examples (tsc)', [bin('typescript', 'bin', 'tsc'), '-p', 'tsconfig.test.json', '--pretty', 'false']],
  ['lint with size limits (oxlint)', [bin('oxlint', 'bin', 'oxlint'), '--type-aware', '--deny-warnings']],
  ['unused files, exports and dependencies (knip)', [bin('knip', 'bin', 'knip.js'), '--no-progress', '--no-config-hints']],
  ['architecture (jest tools/architecture)', [...jest, 'tools/architecture', '--silent', '--reporters=default']],
];

const failed = [];
for (const [name, args] of parts) {
  const started = Date.now();
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) failed.push(name);
  console.log(`check: ${name}: ${status === 0 ? 'ok' : 'FAILED'} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
}
console.log(failed.length === 0 ? `check: all ${parts.length} parts ok` : `check: failed: ${failed.join('; ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
