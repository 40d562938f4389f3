// Two copies of core in one dependency tree agree: a class decorated by one is a tool for the other, type forms included.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const core = fileURLToPath(new URL('../../packages/core/dist/index.js', import.meta.url));

/** The second copy lies in a folder of its own, below the package so that it finds the same dependencies. */
const script = `
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
const core = ${JSON.stringify(core)};
const dist = dirname(core);
const copy = mkdtempSync(join(dist, 'copy-'));
try {
  for (const entry of readdirSync(dist)) if (!entry.startsWith('copy-')) cpSync(join(dist, entry), join(copy, entry), { recursive: true });
  const first = await import(core);
  const second = await import(join(copy, 'index.js'));
  class Scores {}
  first.Param('Scores', { type: () => first.record(Number) })(Scores.prototype, 'scores');
  Object.assign(Scores.prototype, { execute() {} });
  first.Tool('Counts.', { scopes: [] })(Scores);
  const [definition] = second.definitionsOf(Scores);
  console.log(JSON.stringify({ differ: first.Param !== second.Param, parameters: definition.parameters, parsed: definition.parse({ scores: { a: '1' } }).json }));
} finally {
  rmSync(copy, { recursive: true });
}
`;

test('a class decorated by one copy is read by the other', () => {
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8', timeout: 60_000 });
  expect(JSON.parse(output)).toEqual({
    differ: true,
    parameters: { type: 'object', properties: { scores: { type: 'object', additionalProperties: { type: 'number' }, description: 'Scores' } }, required: ['scores'], additionalProperties: false },
    parsed: { scores: { a: 1 } },
  });
});
