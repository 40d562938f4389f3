// Reads one message at the terminal: editing over several lines, history and its search, completion, pastes, and $EDITOR.
import { reading } from './editor/reading.js';
import type { Keyboard } from './keyboard.js';

export type LineOutcome = { kind: 'line'; text: string } | { kind: 'end' } | { kind: 'interrupt'; empty: boolean };
/** The candidates for the end of the text before the cursor, and the part of it that they replace. */
export type Completer = (line: string) => [string[], string] | Promise<[string[], string]>;

export interface LineRequest {
  /** May hold colours; asked for again with every drawing. */
  prompt: string | (() => string);
  /** Newest first; the accepted line is put in front. Absent: no history. */
  history?: string[];
  /** Text to start from. */
  initial?: string;
  complete?: Completer;
  /** Text to show above the line when Ctrl-O is pressed. */
  details?: () => string;
  /** Called when Shift-Tab is pressed; its text is shown above the line. */
  cycleMode?: () => string;
  /** Esc gives the reading up, as if the input had ended. */
  escapeEnds?: boolean;
  /** Ends the reading as if the input had ended. */
  signal?: AbortSignal;
  /** What $EDITOR is given: the name of its file, and the text in another form. */
  external?: { fileName: string; show?: (text: string) => string };
}

export class LineEditor {
  constructor(
    private readonly keyboard: Keyboard,
    private readonly output: NodeJS.WriteStream = process.stderr,
  ) {}

  /** Enter ends it; behind a backslash it begins a new line. */
  read(request: LineRequest): Promise<LineOutcome> {
    return reading(request, this.keyboard, this.output);
  }
}
