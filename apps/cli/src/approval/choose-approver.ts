// Who answers in a command that is no conversation: --yes, the person at the terminal, or nobody.
import type { Approver } from '@haft/core';
import type { Invocation } from '../command/program.js';
import { Keyboard } from '../input/keyboard.js';
import { LineEditor } from '../input/line-editor.js';
import { approveAll, TerminalApprover } from './approver.js';

/** Undefined: nobody can be asked. */
export function chooseApprover({ flags, terminal }: Invocation, onInterrupt: () => void): Approver | undefined {
  if (flags.yes === true) return approveAll;
  if (!terminal.interactive) return undefined;
  const keyboard = new Keyboard();
  return new TerminalApprover({ terminal, keyboard, editor: new LineEditor(keyboard), onInterrupt });
}
