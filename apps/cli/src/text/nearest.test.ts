// "Did you mean" finds slips of the hand and stays silent otherwise.
import { expect, test } from '@jest/globals';
import { didYouMean, nearest } from './nearest.js';

test.each([
  ['alow', 'allow'],
  ['raed_file', 'read_file'],
  ['Permisions', 'permissions'],
  ['tols', 'tools'],
])('%s means %s', (word, meant) => {
  expect(nearest(word, ['deny', 'allow', 'read_file', 'write_file', 'permissions', 'tools'])).toBe(meant);
});

test('a word that is close to nothing gets no suggestion', () => {
  expect(didYouMean('weather', ['allow', 'deny'])).toBe('');
});
