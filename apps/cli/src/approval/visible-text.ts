// A command or argument as an approval shows it: nothing can be hidden by padding, line breaks, length or invisible characters.
import { sanitise } from '../output/sanitise.js';

const mostChars = 2_000;
const tailChars = 400;

/** Runs of blanks and line breaks are counted instead of drawn; of a long text the head and the tail are shown. */
export function visibleText(text: string): string {
  const drawn = sanitise(text)
    .replace(/[ \t]{16,}/g, (run) => ` ⟨${run.length} blanks⟩ `)
    .replace(/\n(?:[ \t]*\n){2,}/g, (run) => `\n⟨${run.split('\n').length - 1} line breaks⟩\n`);
  if (drawn.length <= mostChars) return drawn;
  const hidden = drawn.length - mostChars;
  return `${drawn.slice(0, mostChars - tailChars)}\n⟨… ${hidden} more characters; [e] shows all …⟩\n${drawn.slice(-tailChars)}`.replace(/\p{Surrogate}/gu, '');
}
