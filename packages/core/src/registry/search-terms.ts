/** Texts → search terms: English words by their stems, identifiers taken apart, Chinese by characters and pairs of them. */
import { chineseTerms } from './chinese-terms.js';
import { stemWord } from './stem-word.js';

const words = /[a-z0-9]+|\p{Script=Han}+|[\p{L}\p{N}]+/gu;
const han = /^\p{Script=Han}/u;
const stopWords = new Set(
  'a an and are as at be by can could do does for from had has have how i if in into is it its me my of on or our please so some than that the their them then there these they this to was we were what when where which who will with would you your'.split(' '),
);
const stems = new Map<string, string>();
const maxStems = 50_000;

/** In order, with repetitions. `forQuery` adds the English words that common Chinese words stand for. */
export function searchTerms(text: string, forQuery = false): string[] {
  const terms: string[] = [];
  const apart = text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2').toLowerCase();
  for (const [word] of apart.matchAll(words)) {
    if (han.test(word)) terms.push(...chineseTerms(word, forQuery));
    else if (!stopWords.has(word)) terms.push(stemOf(word));
  }
  return terms;
}

function stemOf(word: string): string {
  let stem = stems.get(word);
  if (stem === undefined) {
    stem = stemWord(word);
    if (stems.size >= maxStems) stems.clear();
    stems.set(word, stem);
  }
  return stem;
}
