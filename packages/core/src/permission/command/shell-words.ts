/**
 * Reads the part of bash whose meaning is certain: literal words, `&&` `||` `;` `|` and newlines between simple commands, and the
 * redirections that change nothing (`2>&1`, `>/dev/null`, `</dev/null`). Everything else throws `NotCertain`, with what it was.
 */
export class NotCertain extends Error {
  override readonly name = 'NotCertain';
}

export interface SimpleCommand {
  /** The words after quote removal: the argument vector that bash passes. */
  words: string[];
  /** Whether the first word was written without quotes or escapes. */
  plainFirst: boolean;
  /** Its input is the output of another command. */
  piped: boolean;
}

const maxChars = 16_384;
const maxCommands = 50;
const plainChar = /[A-Za-z0-9_./:=,@%+^\p{L}\p{N}-]/u;
/** Inside quotes: printable, blank, tab, newline; no other control or invisible character. */
const quotable = /[^\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]|[\t\n]/u;

export function readCommands(text: string): SimpleCommand[] {
  if (text.length > maxChars) throw new NotCertain(`it is longer than ${maxChars} characters`);
  return new Reader(text).read();
}

class Reader {
  private at = 0;
  private readonly commands: SimpleCommand[] = [];
  private words: string[] = [];
  private plainFirst = true;
  private piped = false;
  /** The word being read; undefined between words. */
  private word: string | undefined;
  private plain = true;
  /** An operator was read that needs a command after it. */
  private pending = false;
  private redirected = false;

  constructor(private readonly text: string) {}

  read(): SimpleCommand[] {
    while (this.at < this.text.length) this.step();
    this.endList();
    if (this.pending) throw new NotCertain('an operator has no command after it');
    if (this.commands.length === 0) throw new NotCertain('there is no command');
    return this.commands;
  }

  private step(): void {
    const char = this.text.charAt(this.at);
    this.refuseSwallowed(char);
    if (char === ' ' || char === '\t') this.blank();
    else if (char === '\n') this.newline();
    else if (char === ';' || char === '&' || char === '|') this.operator(char);
    else if (char === '>' || char === '<') this.redirection();
    else if (char === "'") this.singleQuoted();
    else if (char === '"') this.doubleQuoted();
    else if (char === '\\') this.escaped();
    else this.unquoted(char);
  }

  /**
   * In GBK, Big5 and Shift JIS the last byte of a UTF-8 character and one of these make another character, so that bash there would not
   * see them.
   */
  private refuseSwallowed(char: string): void {
    if ((char === '\\' || char === '|' || char === '`') && this.text.charAt(this.at - 1) > '\x7f') {
      throw new NotCertain(`"${char}" after a character that some encodings join it to`);
    }
  }

  private blank(): void {
    this.endWord();
    this.at++;
  }

  private newline(): void {
    this.endList();
    this.at++;
  }

  private endList(): void {
    this.endWord();
    if (this.words.length > 0) this.endCommand();
    else if (this.redirected) throw new NotCertain('a redirection without a command');
  }

  private operator(char: string): void {
    this.endWord();
    const two = this.text.slice(this.at, this.at + 2);
    if (two === '&>') return this.redirectBoth();
    if (this.words.length === 0) throw new NotCertain(`"${char}" has no command before it`);
    if (two === ';;' || two === '|&' || (char === '&' && two !== '&&')) throw new NotCertain(`"${two.trim()}" is not followed`);
    this.endCommand();
    this.pending = char !== ';';
    this.piped = char === '|' && two !== '||';
    this.at += two === '&&' || two === '||' ? 2 : 1;
  }

  /** `[n]>/dev/null`, `[n]>>/dev/null`, `[n]</dev/null`, `[n]>&m` with n and m of 1 and 2. */
  private redirection(): void {
    let fd = '';
    if (this.word !== undefined && this.plain && /^\d+$/.test(this.word)) {
      fd = this.word;
      this.word = undefined;
    } else this.endWord();
    const rest = this.text.slice(this.at);
    const harmless = fd === '' || fd === '1' || fd === '2' ? /^(?:>>?[ \t]*\/dev\/null|>&[12])(?=[\s;&|<>]|$)/.exec(rest) : undefined;
    const found = harmless ?? (fd === '' || fd === '0' ? /^<[ \t]*\/dev\/null(?=[\s;&|<>]|$)/.exec(rest) : undefined);
    if (!found) throw new NotCertain('a redirection other than to /dev/null or between the outputs');
    this.at += found[0].length;
    this.redirected = true;
  }

  private redirectBoth(): void {
    const found = /^&>>?[ \t]*\/dev\/null(?=[\s;&|<>]|$)/.exec(this.text.slice(this.at));
    if (!found) throw new NotCertain('a redirection other than to /dev/null or between the outputs');
    this.at += found[0].length;
    this.redirected = true;
  }

  private singleQuoted(): void {
    const close = this.text.indexOf("'", this.at + 1);
    if (close === -1) throw new NotCertain('a quote is not closed');
    this.append(this.text.slice(this.at + 1, close), false);
    this.at = close + 1;
  }

  private doubleQuoted(): void {
    let value = '';
    for (this.at++; this.text.charAt(this.at) !== '"'; this.at++) {
      const char = this.text.charAt(this.at);
      if (char === '') throw new NotCertain('a quote is not closed');
      if (char === '$' || char === '`') throw new NotCertain('an expansion in double quotes');
      if (char === '\\') this.refuseSwallowed(char);
      if (char !== '\\') value += char;
      else {
        const next = this.text.charAt(++this.at);
        if (next === '' || next === '\n') throw new NotCertain('a continued line');
        value += '$`"\\'.includes(next) ? next : `\\${next}`;
      }
    }
    this.at++;
    this.append(value, false);
  }

  private escaped(): void {
    const next = this.text.charAt(this.at + 1);
    if (!/[\x21-\x7e ]/.test(next)) throw new NotCertain('a continued line or an escaped character that is not printable');
    this.append(next, false);
    this.at += 2;
  }

  private unquoted(char: string): void {
    const before = this.word ?? '';
    const literal =
      plainChar.test(char) ||
      // A tilde after a letter or digit (`HEAD~1`), a bang that is not the first word, and the command `[` with its closing word.
      (char === '~' && this.word !== undefined && /[A-Za-z0-9^]$/.test(before) && this.plain && !before.includes('=') && !before.includes(':')) ||
      (char === '!' && (this.words.length > 0 || this.word !== undefined)) ||
      ((char === '[' || char === ']') && this.word === undefined && /^(?:[\s;&|]|$)/.test(this.text.charAt(this.at + 1)));
    if (!literal) throw new NotCertain(`"${printable(char)}" outside quotes`);
    this.append(char, true);
    this.at++;
  }

  private append(value: string, plain: boolean): void {
    for (const char of value) if (!quotable.test(char)) throw new NotCertain('a control or invisible character');
    if (this.word === undefined) this.plain = true;
    this.word = (this.word ?? '') + value;
    this.plain &&= plain;
  }

  private endWord(): void {
    if (this.word === undefined) return;
    if (this.words.length === 0) this.plainFirst = this.plain;
    this.words.push(this.word);
    this.word = undefined;
  }

  private endCommand(): void {
    this.commands.push({ words: this.words, plainFirst: this.plainFirst, piped: this.piped });
    if (this.commands.length > maxCommands) throw new NotCertain(`it has more than ${maxCommands} commands`);
    this.words = [];
    this.pending = false;
    this.piped = false;
    this.redirected = false;
  }
}

function printable(char: string): string {
  return /[\x21-\x7e]/.test(char) ? char : `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
