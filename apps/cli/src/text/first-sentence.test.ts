// Where a sentence ends.
import { expect, test } from '@jest/globals';
import { firstSentence } from './first-sentence.js';

test.each([
  ['Find files by a glob, e.g. "src/**/*.ts". Links are not followed.', 'Find files by a glob, e.g. "src/**/*.ts".'],
  ['Wide, incl. links (i.e. all, etc. and more). Second.', 'Wide, incl. links (i.e. all, etc. and more).'],
  ['Reads a.txt and v1.2. Then stops.', 'Reads a.txt and v1.2.'],
  ['读取文件。然后停止。', '读取文件。'],
  ['No stop at all', 'No stop at all'],
])('%s', (text, first) => {
  expect(firstSentence(text)).toBe(first);
});
