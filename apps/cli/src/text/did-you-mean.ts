// The sentence that suggests what a mistyped word was meant to be. Loads no more of core than the comparison, so that a refusal is quick.
import { nearName } from '@haft/core/near-name';

/** ` Did you mean "x"?` with its leading blank, or nothing. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const found = nearName(word, candidates);
  return found === undefined ? '' : ` Did you mean "${found}"?`;
}
