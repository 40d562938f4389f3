/** Tells the U+FFFD that stands written in a UTF-8 text from the U+FFFD that a decoder puts for bytes that mean nothing. */

const replacement = '\ufffd';
const written = Buffer.from(replacement, 'utf8');

export class ReplacementBalance {
  /** U+FFFD in the decoded text less those written in its bytes. Only bytes that mean nothing make it grow: the first byte of a written
   *  one begins a character wherever it stands. */
  private surplus = 0;
  /** The last bytes of the piece before: a written one may lie across. */
  private tail: Uint8Array = Buffer.alloc(0);

  /** In encodings other than UTF-8 every U+FFFD counts as put by the decoder. */
  constructor(private readonly utf8: boolean) {}

  /** The next piece of text, and the bytes that it was decoded from. */
  add(text: string, bytes: Uint8Array = Buffer.alloc(0)): void {
    this.surplus += occurrences<string>(text, replacement);
    if (!this.utf8) return;
    const joined = Buffer.concat([this.tail, bytes]);
    this.surplus -= occurrences<Uint8Array>(joined, written);
    this.tail = joined.subarray(Math.max(joined.length - (written.length - 1), 0));
  }

  /** To be asked when all bytes were given. */
  get invalid(): boolean {
    return this.surplus > 0;
  }
}

interface Indexed<Piece> {
  indexOf(what: Piece, from?: number): number;
}

function occurrences<Piece extends { readonly length: number }>(where: Indexed<Piece>, what: Piece): number {
  let count = 0;
  for (let at = where.indexOf(what); at !== -1; at = where.indexOf(what, at + what.length)) count++;
  return count;
}
