// Asks whether a project's config, which is code, may be loaded.
import type { TrustQuestion } from '../config/load-config.js';
import { Keyboard } from '../input/keyboard.js';
import { LineEditor } from '../input/line-editor.js';
import { sanitiseLine } from '../output/sanitise.js';
import type { Terminal } from '../output/terminal.js';

/** The question at the terminal; only "y" or "yes" is a yes. */
export function askTrust(terminal: Terminal): TrustQuestion {
  return async (path, state) => {
    const why = state === 'new' ? 'has not been run before' : 'has changed since you trusted it (or a file it imports has)';
    terminal.say(`${terminal.colors.yellow('?')} ${sanitiseLine(path)} is code that runs with your rights, and ${why}.\n`);
    const outcome = await new LineEditor(new Keyboard()).read({ prompt: '  Load it, now and while it stays the same? [y/N] ' });
    return outcome.kind === 'line' && /^y(es)?$/i.test(outcome.text.trim());
  };
}
