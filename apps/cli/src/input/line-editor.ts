// Reads one line (or one pasted message) with history and completion, on node:readline fed by the keyboard.
import { createInterface, type Interface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { KeySplitter } from './key-splitter.js';
import { type Keyboard, keys } from './keyboard.js';
import { bracketedPaste, PasteReader } from './paste.js';

export type LineOutcome = { kind: 'line'; text: string } | { kind: 'end' } | { kind: 'interrupt'; empty: boolean };
export type Completer = (line: string) => [string[], string] | Promise<[string[], string]>;

export interface LineRequest {
  prompt: string;
  /** Newest first; the accepted line is put in front. Absent: no history. */
  history?: string[];
  /** Text to start from. */
  initial?: string;
  complete?: Completer;
  /** Text to show above the line when Ctrl-O is pressed. */
  details?: () => string;
  /** Esc gives the reading up, as if the input had ended. */
  escapeEnds?: boolean;
  /** Ends the reading as if the input had ended. */
  signal?: AbortSignal;
}

export class LineEditor {
  constructor(
    private readonly keyboard: Keyboard,
    private readonly output: NodeJS.WriteStream = process.stderr,
  ) {}

  /** A line that ends in a backslash goes on in the next one. */
  async read(request: LineRequest): Promise<LineOutcome> {
    let text = '';
    for (let prompt = request.prompt; ; prompt = '… ') {
      const outcome = await this.#readOne({ ...request, prompt });
      if (outcome.kind !== 'line') return outcome;
      if (!outcome.text.endsWith('\\')) return { kind: 'line', text: text + outcome.text };
      text += `${outcome.text.slice(0, -1)}\n`;
    }
  }

  #readOne(request: LineRequest): Promise<LineOutcome> {
    const input = new PassThrough();
    const pastes = new PasteReader();
    const splitter = new KeySplitter();
    const editor = this.#open(input, request);
    const feed = feeder(editor, input);
    const release = this.keyboard.listen((chunk) => {
      if (chunk === keys.escape && request.escapeEnds === true) return editor.close();
      const typed = chunk.endsWith(keys.ctrlO) ? chunk.slice(0, -1) : chunk;
      if (typed !== '') splitter.split(pastes.feed(typed)).forEach(feed);
      if (typed === chunk || request.details === undefined) return;
      this.output.write(`\r\x1b[J${request.details()}`);
      editor.prompt(true);
    });
    this.output.write(bracketedPaste.on);
    editor.prompt();
    if (request.initial !== undefined) editor.write(request.initial);
    return new Promise<LineOutcome>((resolve) => {
      const end = (): void => {
        this.output.write('\n');
        finish({ kind: 'end' });
      };
      const finish = (outcome: LineOutcome): void => {
        request.signal?.removeEventListener('abort', end);
        // Only the own one: the editor takes its listeners off the terminal in another.
        editor.removeListener('close', end);
        release();
        editor.close();
        this.output.write(bracketedPaste.off);
        resolve(outcome);
      };
      editor.once('line', (line) => finish({ kind: 'line', text: pastes.expand(line) }));
      editor.once('close', end);
      request.signal?.addEventListener('abort', end, { once: true });
      editor.on('SIGINT', () => {
        this.output.write('^C\n');
        finish({ kind: 'interrupt', empty: editor.line === '' });
      });
    });
  }

  #open(input: PassThrough, { prompt, history, complete }: LineRequest): Interface {
    const editor = createInterface({
      input,
      output: this.output,
      terminal: true,
      prompt,
      historySize: history === undefined ? 0 : 1_000,
      removeHistoryDuplicates: true,
      ...(history === undefined ? {} : { history: [...history] }),
      ...(complete === undefined ? {} : { completer: (line: string, done: (error: null, result: [string[], string]) => void) => void answerCompletion(complete, line, done) }),
    });
    editor.on('history', (lines) => history?.splice(0, history.length, ...lines));
    return editor;
  }
}

/** Text goes in at the cursor; from a whole chunk Node's editor would append it to the line, wherever the cursor is. */
function feeder(editor: Interface, input: PassThrough): (piece: string) => void {
  let open = true;
  editor.once('close', () => (open = false));
  return (piece) => {
    if (!open) return;
    if (KeySplitter.isText(piece)) editor.write(piece);
    else input.emit('data', piece);
  };
}

async function answerCompletion(complete: Completer, line: string, done: (error: null, result: [string[], string]) => void): Promise<void> {
  done(null, await complete(line));
}
