// One name in the spellings that a scaffold needs.
import { CliError } from '../exit-code.js';

export interface Names {
  /** `word-count` */
  kebab: string;
  /** `word_count` */
  snake: string;
  /** `WordCount` */
  pascal: string;
  /** `wordCount` */
  camel: string;
  /** What its first form does, for the model. */
  purpose: string;
}

/** Takes `word-count`, `word_count`, `WordCount`. Throws a CliError for what cannot be a name. */
export function namesOf(given: string): Names {
  const kebab = given
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/[_\s]+/g, '-')
    .toLowerCase();
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(kebab) || kebab.length > 50) {
    throw new CliError(`"${given}" cannot be a name.`, 2, 'Use letters, digits and hyphens, beginning with a letter, e.g. word-count.');
  }
  const pascal = kebab.replace(/(^|-)([a-z0-9])/g, (_, _dash, letter: string) => letter.toUpperCase());
  const counts = 'Count the lines of a text file, and how many of them are empty.';
  const purpose = kebab === 'count-lines' ? counts : `${kebab.charAt(0).toUpperCase()}${kebab.slice(1).replaceAll('-', ' ')}: ${counts.charAt(0).toLowerCase()}${counts.slice(1)}`;
  return { kebab, snake: kebab.replaceAll('-', '_'), pascal, camel: pascal.charAt(0).toLowerCase() + pascal.slice(1), purpose };
}
