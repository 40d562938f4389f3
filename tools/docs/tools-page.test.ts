// The code on docs/tools.md stands, word for word, in the sample plugin that is compiled and tested.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import * as core from '../../packages/core/dist/index.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(`${root}docs/tools.md`, 'utf8');

test('every block of code is compiled code', () => {
  const folder = `${root}packages/core/src/schema/testdata/sample-plugin/`;
  const sources = readdirSync(folder).map((file) => readFileSync(folder + file, 'utf8'));
  const blocks = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => String(match[1]));
  expect(blocks.length).toBeGreaterThan(1);
  for (const block of blocks) expect({ block, found: sources.some((source) => source.includes(block)) }).toEqual({ block, found: true });
});

test('every function that it names is offered by core', () => {
  const names = [...page.matchAll(/`?\b(record|nullable|tuple|union|literal|integer|json|tool|toOpenAI|toOpenAIStrict|toAnthropic|toGemini|toMcp)\b/g)].map((match) => String(match[1]));
  for (const name of new Set(names)) expect(Object.keys(core)).toContain(name);
});
