// The beginning of a description, where there is room for one sentence.

/** Up to the first full stop that ends a sentence; those of abbreviations do not. */
export function firstSentence(text: string): string {
  return /^.*?(?:(?<!\b(?:e\.g|i\.e|etc|cf|vs|approx|incl|resp))\.(?=\s|$)|。)/is.exec(text)?.[0] ?? text;
}
