/** Porter's stemmer (M. F. Porter, "An algorithm for suffix stripping", 1980): `listing`, `listed` and `lists` become `list`. */

const consonant = '[^aeiou]';
const vowel = '[aeiouy]';
const consonants = `${consonant}[^aeiouy]*`;
const vowels = `${vowel}[aeiou]*`;
const measureAbove0 = new RegExp(`^(${consonants})?${vowels}${consonants}`);
const measureIs1 = new RegExp(`^(${consonants})?${vowels}${consonants}(${vowels})?$`);
const measureAbove1 = new RegExp(`^(${consonants})?${vowels}${consonants}${vowels}${consonants}`);
const hasVowel = new RegExp(`^(${consonants})?${vowel}`);
const shortEnd = new RegExp(`^${consonants}${vowel}[^aeiouwxy]$`);
const doubled = /([^aeiouylsz])\1$/;

const step2: readonly [string, string][] = [
  ['ational', 'ate'], ['tional', 'tion'], ['enci', 'ence'], ['anci', 'ance'], ['izer', 'ize'], ['bli', 'ble'], ['alli', 'al'], ['entli', 'ent'],
  ['eli', 'e'], ['ousli', 'ous'], ['ization', 'ize'], ['ation', 'ate'], ['ator', 'ate'], ['alism', 'al'], ['iveness', 'ive'], ['fulness', 'ful'],
  ['ousness', 'ous'], ['aliti', 'al'], ['iviti', 'ive'], ['biliti', 'ble'], ['logi', 'log'],
];
const step3: readonly [string, string][] = [['icate', 'ic'], ['ative', ''], ['alize', 'al'], ['iciti', 'ic'], ['ical', 'ic'], ['ful', ''], ['ness', '']];
const step4 = /^(.+?)(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize)$/;

/** Of one lower-case English word; words of one or two letters stay. */
export function stemWord(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  let stem = word.startsWith('y') ? `Y${word.slice(1)}` : word;
  stem = withoutPlural(stem);
  stem = withoutPast(stem);
  stem = stem.replace(/^(.+)y$/, (whole, rest: string) => (hasVowel.test(rest) ? `${rest}i` : whole));
  stem = replaced(stem, step2);
  stem = replaced(stem, step3);
  stem = withoutEnding(stem);
  return withoutFinalE(stem).toLowerCase();
}

function withoutPlural(word: string): string {
  return word.replace(/(ss|i)es$/, '$1').replace(/([^s])s$/, '$1');
}

function withoutPast(word: string): string {
  const eed = /^(.+?)eed$/.exec(word);
  if (eed) return measureAbove0.test(eed[1] ?? '') ? word.slice(0, -1) : word;
  const stem = /^(.+?)(?:ed|ing)$/.exec(word)?.[1];
  if (stem === undefined || !hasVowel.test(stem)) return word;
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (doubled.test(stem)) return stem.slice(0, -1);
  return shortEnd.test(stem) ? `${stem}e` : stem;
}

function replaced(word: string, endings: readonly [string, string][]): string {
  const found = endings.find(([ending]) => word.endsWith(ending));
  if (!found) return word;
  const stem = word.slice(0, -found[0].length);
  return measureAbove0.test(stem) ? stem + found[1] : word;
}

function withoutEnding(word: string): string {
  const stem = step4.exec(word)?.[1];
  if (stem !== undefined) return measureAbove1.test(stem) ? stem : word;
  const ion = /^(.+?[st])ion$/.exec(word)?.[1];
  return ion !== undefined && measureAbove1.test(ion) ? ion : word;
}

function withoutFinalE(word: string): string {
  let result = word;
  const stem = /^(.+?)e$/.exec(word)?.[1];
  if (stem !== undefined && (measureAbove1.test(stem) || (measureIs1.test(stem) && !shortEnd.test(stem)))) result = stem;
  return result.endsWith('ll') && measureAbove1.test(result) ? result.slice(0, -1) : result;
}
