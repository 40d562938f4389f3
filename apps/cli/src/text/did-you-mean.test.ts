// "Did you mean" finds slips of the hand and stays silent otherwise.
import { expect, test } from '@jest/globals';
import { didYouMean } from './did-you-mean.js';

test.each([
  ['alow', 'allow'],
  ['raed_file', 'read_file'],
  ['Permisions', 'permissions'],
  ['tols', 'tools'],
])('%s means %s', (word, meant) => {
  expect(didYouMean(word, ['deny', 'allow', 'read_file', 'write_file', 'permissions', 'tools'])).toBe(` Did you mean "${meant}"?`);
});

test('a word that is close to nothing gets no suggestion', () => {
  expect(didYouMean('weather', ['allow', 'deny'])).toBe('');
});
