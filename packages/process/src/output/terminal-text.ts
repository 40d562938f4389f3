/**
 * Turns what a program sends to a terminal into plain text, across chunks: escape sequences and control characters go,
 * a carriage return overwrites its line, so that a thousand redraws of a progress bar are one line.
 */

/**
 * CSI, OSC/DCS/SOS/PM/APC strings, two- and three-character sequences; 7-bit and 8-bit introducers (ECMA-48 §5.4).
 * The lookaheads match a sequence that something else cut off, so that what is left open can only stand at the end.
 */
const ESCAPES = new RegExp([
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*(?:[@-~]|(?=[^ -~]))/,
  // No introducer inside: else a row of them would be scanned to its end again from each.
  /(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90\x98\x9c-\x9f]*(?:\x07|\x1b\\|\x9c|(?=\x1b[^\\]|[\x90\x98\x9d-\x9f]))/,
  /\x1b[ -/]*(?:[0-OQ-WYZ\\`-~]|(?=[^ -~]))/,
].map((expression) => expression.source).join('|'), 'g');
/** The beginning of a sequence that the next chunk may complete. */
const OPEN_ESCAPE = /(?:(?:\x1b\[|\x9b)[0-?]*[ -/]*|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90\x98\x9c-\x9f]*\x1b?|\x1b[ -/]*)$/;
/** C0 but tab, newline, carriage return and backspace; DEL; C1. */
const CONTROLS = /[\x00-\x07\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;
const SPECIAL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
/** A string sequence longer than this is not waited for any more. */
const MAX_ESCAPE = 4096;
/** Of a line without end so much can still be overwritten; what is before it is given out. */
const MAX_OPEN_LINE = 4096;

export class TerminalText {
  private openEscape = '';
  private line = '';
  /** The last character was a carriage return: a newline after it ends the line, anything else overwrites it. */
  private returned = false;

  /** Plain text that is settled: nothing that follows can overwrite it. */
  push(chunk: string): string {
    let text = this.openEscape + chunk;
    this.openEscape = '';
    if (!SPECIAL.test(text) && !this.returned) return this.settleLines(text);
    text = this.stripControls(text);
    let settled = '';
    const lines = text.split('\n');
    for (const [index, piece] of lines.entries()) {
      const last = index === lines.length - 1;
      settled += this.overwrite(piece);
      if (last) break;
      settled += `${this.line}\n`;
      this.line = '';
      this.returned = false;
    }
    return settled + this.releaseLongLine();
  }

  /** The line that is not ended yet, as it stands. */
  get open(): string {
    return this.line;
  }

  /** Settles the open line as it stands: somebody has seen it, so nothing overwrites it any more. */
  releaseLine(): string {
    const released = this.line;
    this.line = '';
    return released;
  }

  /** The rest, at the end of the stream. */
  end(): string {
    this.openEscape = '';
    this.returned = false;
    return this.releaseLine();
  }

  private stripControls(text: string): string {
    const stripped = text.replace(ESCAPES, '');
    const open = OPEN_ESCAPE.exec(stripped);
    if (open === null || open[0].length > MAX_ESCAPE) return stripped.replace(CONTROLS, '');
    this.openEscape = open[0];
    return stripped.slice(0, open.index).replace(CONTROLS, '');
  }

  private settleLines(text: string): string {
    const end = text.lastIndexOf('\n') + 1;
    const settled = end === 0 ? '' : this.line + text.slice(0, end);
    this.line = end === 0 ? this.line + text : text.slice(end);
    return settled + this.releaseLongLine();
  }

  private releaseLongLine(): string {
    if (this.line.length <= MAX_OPEN_LINE) return '';
    return this.releaseLine();
  }

  /** Adds a piece without newline to the open line; what follows a carriage return replaces it. */
  private overwrite(piece: string): string {
    if (piece === '') return '';
    const parts = piece.split('\r');
    for (const [index, part] of parts.entries()) {
      if (index > 0) this.returned = true;
      if (part === '') continue;
      if (this.returned) this.line = '';
      this.returned = false;
      this.line = part.includes('\b') ? erase(this.line + part) : this.line + part;
    }
    return this.releaseLongLine();
  }
}

function erase(line: string): string {
  const kept: string[] = [];
  for (const character of line) {
    if (character === '\b') kept.pop();
    else kept.push(character);
  }
  return kept.join('');
}
