// Where text goes: stdout carries the answer alone, everything else goes to stderr. Callers sanitise what they did not write themselves.
import { type Colors, createColors } from './colors.js';
import { wrapWords } from './wrap-words.js';

export type ColorChoice = 'auto' | 'always' | 'never';

export interface Writer {
  write(text: string, done?: () => void): boolean;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

/** Lines below the text, which are taken away before anything else is written. */
interface Erasable {
  erase(): void;
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
  #live: Erasable | undefined;
  #asking = 0;
  #answered = false;
  /** Came while a question was open. */
  readonly #unasked: string[] = [];
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

  /** Height in rows; 24 where it is not known. */
  get rows(): number {
    return this.#stderr.rows ?? this.#stdout.rows ?? 24;
  }

  /** Lines can be drawn and taken away again, and the screen does not belong to a question. */
  get canRedraw(): boolean {
    return (this.errorIsTerminal || this.answerIsTerminal) && !this.plain && this.#asking === 0;
  }

  /** Whether any of the answer was written. */
  get answered(): boolean {
    return this.#answered;
  }

  /** Part of the answer, as it is. */
  answer(text: string): void {
    this.eraseLive();
    this.#answered = true;
    this.#stdout.write(text);
  }

  /** A line for the person watching; not with --quiet. During a question it waits for the answer. */
  note(line: string): void {
    if (this.quiet) return;
    if (this.#asking > 0) return void this.#unasked.push(line);
    this.eraseLive();
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
    this.eraseLive();
    this.#stderr.write(text);
  }

  /** A question or an error: also with --quiet. */
  say(text: string): void {
    this.eraseLive();
    this.#stderr.write(text);
  }

  /** From now on `live` stands below the text. It draws with what this gives. */
  openLive(live: Erasable): void {
    this.eraseLive();
    this.#live = live;
  }

  /** For live lines alone: straight to the screen. */
  drawRaw(text: string): void {
    (this.errorIsTerminal ? this.#stderr : this.#stdout).write(text);
  }

  eraseLive(): void {
    this.#live?.erase();
  }

  /** Keeps the live lines away until the returned function is called: the screen belongs to a question. */
  startAsking(): () => void {
    this.eraseLive();
    this.#asking += 1;
    return () => {
      this.#asking -= 1;
      if (this.#asking === 0) this.#unasked.splice(0).forEach((line) => this.note(line));
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
