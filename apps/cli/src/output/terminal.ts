// Where text goes: stdout carries the answer alone, everything else goes to stderr. Callers sanitise what they did not write themselves.
import { type Colors, createColors } from './colors.js';
import { wrapWords } from './wrap-words.js';

export type ColorChoice = 'auto' | 'always' | 'never';

interface Writer {
  write(text: string, done?: () => void): boolean;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface TerminalOptions {
  stdin?: { readonly isTTY?: boolean };
  stdout?: Writer;
  stderr?: Writer;
  color?: ColorChoice;
  quiet?: boolean;
  verbose?: boolean;
  env?: Readonly<Record<string, string | undefined>>;
}

export class Terminal {
  readonly #stdout: Writer;
  readonly #stderr: Writer;
  #held: string[] | undefined;
  #statusDrawn = false;
  #asking = 0;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** A person can be asked: both ends are a terminal. */
  readonly interactive: boolean;
  /** Colours of the answer and of everything else; they write no escapes where colour is off. */
  readonly answerColors: Colors;
  readonly colors: Colors;
  readonly answerIsTerminal: boolean;
  readonly errorIsTerminal: boolean;
  /** A terminal that cannot move its cursor: nothing is overwritten. */
  readonly plain: boolean;

  constructor(options: TerminalOptions = {}) {
    this.#stdout = options.stdout ?? process.stdout;
    this.#stderr = options.stderr ?? process.stderr;
    this.quiet = options.quiet ?? false;
    this.verbose = options.verbose ?? false;
    this.answerIsTerminal = this.#stdout.isTTY === true;
    this.errorIsTerminal = this.#stderr.isTTY === true;
    this.interactive = (options.stdin ?? process.stdin).isTTY === true && this.errorIsTerminal;
    const env = options.env ?? process.env;
    this.plain = env.TERM === 'dumb' || Boolean(env.CI);
    this.answerColors = createColors(useColor(options.color ?? 'auto', this.#stdout, env));
    this.colors = createColors(useColor(options.color ?? 'auto', this.#stderr, env));
  }

  /** Width in columns; 80 where it is not known. */
  get columns(): number {
    return this.#stderr.columns ?? this.#stdout.columns ?? 80;
  }

  /** Part of the answer, as it is. */
  answer(text: string): void {
    this.eraseStatus();
    this.#stdout.write(text);
  }

  /** A line for the person watching; not with --quiet. */
  note(line: string): void {
    if (this.quiet) return;
    this.eraseStatus();
    if (this.#held === undefined) this.#stderr.write(`${line}\n`);
    else this.#held.push(line);
  }

  /** A sentence of Haft's own: a note, broken between words where the terminal is narrow. */
  tell(text: string): void {
    this.note(this.#wrapped(text));
  }

  /** The same for an error, also with --quiet. */
  sayLine(text: string): void {
    this.say(`${this.#wrapped(text)}\n`);
  }

  #wrapped(text: string): string {
    return this.errorIsTerminal ? wrapWords(text, this.columns) : text;
  }

  /** Keeps notes back, while a line is typed, until the returned function is called. */
  holdNotes(): () => void {
    const held: string[] = [];
    this.#held = held;
    return () => {
      if (this.#held === held) this.#held = undefined;
      held.forEach((line) => this.note(line));
    };
  }

  /** Raw text for the person watching, without a newline; not with --quiet. */
  show(text: string): void {
    if (this.quiet) return;
    this.eraseStatus();
    this.#stderr.write(text);
  }

  /** A question or an error: also with --quiet. */
  say(text: string): void {
    this.eraseStatus();
    this.#stderr.write(text);
  }

  /** Draws the line that the next write takes away. Nothing where a line cannot be overwritten, or while somebody is asked. */
  drawStatus(text: string): void {
    if (!this.errorIsTerminal || this.quiet || this.plain || this.#asking > 0) return;
    this.#stderr.write(`\r\x1b[K${text}`);
    this.#statusDrawn = true;
  }

  eraseStatus(): void {
    if (this.#statusDrawn) this.#stderr.write('\r\x1b[K');
    this.#statusDrawn = false;
  }

  /** Keeps the status line away until the returned function is called: the screen belongs to a question. */
  startAsking(): () => void {
    this.eraseStatus();
    this.#asking += 1;
    return () => {
      this.#asking -= 1;
    };
  }

  /** Resolves when what was written has left the process. */
  async flush(): Promise<void> {
    await Promise.all([this.#stdout, this.#stderr].map((writer) => new Promise<void>((done) => void writer.write('', done))));
  }
}

/** Flag, then NO_COLOR, FORCE_COLOR and TERM=dumb, then whether it is a terminal (https://no-color.org). */
function useColor(choice: ColorChoice, writer: Writer, env: Readonly<Record<string, string | undefined>>): boolean {
  if (choice !== 'auto') return choice === 'always';
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR && env.FORCE_COLOR !== '0') return true;
  return writer.isTTY === true && env.TERM !== 'dumb';
}
