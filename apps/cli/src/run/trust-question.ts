// Asks whether a project's config, which is code, may be loaded.
import type { TrustQuestion } from '../config/load-config.js';
import { Keyboard } from '../input/keyboard.js';
import { LineEditor } from '../input/line-editor.js';
import { sanitiseLine } from '../output/sanitise.js';
import type { Terminal } from '../output/terminal.js';

/** The question at the terminal; only "y" or "yes" is a yes. */
export function askTrust(terminal: Terminal): TrustQuestion {
  return async (text) => {
    terminal.say(`${terminal.colors.yellow('?')} ${sanitiseLine(text)}.\n`);
    const outcome = await new LineEditor(new Keyboard()).read({ prompt: '  Trust it, now and while it stays the same? [y/N] ' });
    return outcome.kind === 'line' && /^y(es)?$/i.test(outcome.text.trim());
  };
}
