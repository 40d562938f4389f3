/**
 * File names are bytes; tools speak strings. Names that are valid UTF-8 are used as they are; any other byte 0xNN is carried
 * as the lone surrogate U+DCNN (PEP 383), which JSON can hold, so that every listed name can be given back exactly.
 */
const escapedByte = /[\udc80-\udcff]/;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The string form of a name or path read from the system. */
export function decodeName(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch {
    return decodeByParts(bytes);
  }
}

function decodeByParts(bytes: Buffer): string {
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const length = validSequenceLength(bytes, at);
    text += length > 0 ? bytes.toString('utf8', at, at + length) : String.fromCharCode(0xdc00 + (bytes[at] ?? 0));
    at += Math.max(length, 1);
  }
  return text;
}

/** Length of the valid UTF-8 sequence at `at`, or 0. */
function validSequenceLength(bytes: Buffer, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  try {
    decoder.decode(bytes.subarray(at, at + length));
    return length;
  } catch {
    return 0;
  }
}

/** The form to hand to the system: a string, or bytes where the name holds escaped bytes. */
export function encodeName(name: string): string | Buffer {
  if (!escapedByte.test(name)) return name;
  const parts: Buffer[] = [];
  let plain = '';
  for (const character of name) {
    const unit = character.charCodeAt(0);
    if (character.length === 1 && unit >= 0xdc80 && unit <= 0xdcff) {
      parts.push(Buffer.from(plain, 'utf8'), Buffer.from([unit - 0xdc00]));
      plain = '';
    } else {
      plain += character;
    }
  }
  parts.push(Buffer.from(plain, 'utf8'));
  return Buffer.concat(parts);
}

/**
 * The one string form of a name: escaped bytes that make up a character are that character, since rules and locks compare names as
 * strings. Undefined for a name that stands for no bytes.
 */
export function canonicalName(name: string): string | undefined {
  if (!/\p{Surrogate}/u.test(name)) return name;
  if (/\p{Surrogate}/u.test(name.replaceAll(/[\udc80-\udcff]/gu, ''))) return undefined;
  return decodeName(Buffer.from(encodeName(name)));
}

/** Bytes that a name takes on disk. */
export function nameLength(name: string): number {
  return escapedByte.test(name) ? encodeName(name).length : Buffer.byteLength(name, 'utf8');
}
