/** Secrets that are known by where they stand, not by value: under a telling name, in a URL, after `Bearer`. For logs, not for results. */
import { type Span, redactionMark, replaceSpans } from './redact.js';

const tellingName =
  /^(?:[a-z0-9]+[_-])*(?:api[_-]?key|apikey|access[_-]?key(?:[_-]?id)?|secret(?:[_-]?key)?|client[_-]?secret|private[_-]?key|pass(?:word|wd|phrase)?|pwd|(?:auth|access|refresh|id|session|bearer|api)?[_-]?token|authorization|credentials?|cookie|connection[_-]?string)$/i;
const maxNameChars = 64;

/** Whether a field of this name holds a secret, whatever its value. */
export function isSensitiveName(name: string): boolean {
  return name.length <= maxNameChars && tellingName.test(name.replace(/([a-z0-9])([A-Z])/g, '$1_$2'));
}

const shapes: readonly [RegExp, string][] = [
  // user:password@ of a URL
  [/(:\/\/)[^\s/?#@"'<>]{1,512}@/g, `$1${redactionMark}@`],
  // Authorization: Bearer x, also Basic and Token
  [/\b(Bearer|Basic|Token)([ \t]{1,8})[A-Za-z0-9._~+/=-]{6,}/gi, `$1$2${redactionMark}`],
  // keys that say themselves what they are
  [/\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}|\bgh[pousr]_[A-Za-z0-9]{20,}|\bxox[abprs]-[A-Za-z0-9-]{10,}|\bAKIA[0-9A-Z]{16}\b|\bAIza[0-9A-Za-z_-]{30,}|\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g, redactionMark],
];

/** Every expression here takes time that follows the text's length, whatever the text. */
export function redactShapes(text: string): string {
  const shaped = shapes.reduce((out, [pattern, replacement]) => out.replace(pattern, replacement), text);
  const named = replaceSpans(shaped, namedValues(shaped));
  return named.includes('PRIVATE KEY') ? replaceSpans(named, privateKeys(named)) : named;
}

/** name=value, name: value and --name value, with or without quotes: in queries, commands, YAML, JSON, JSON within JSON. */
function namedValues(text: string): Span[] {
  const names = /(?<![A-Za-z0-9_-])(?:([A-Za-z0-9_-]{1,64})\\{0,8}["']?\s{0,3}[=:]\s{0,3}\\{0,8}["']?|--([A-Za-z0-9_-]{1,64})[ \t]{1,8}(?!-))/g;
  const values = /(?:(?:Bearer|Basic|Token)[ \t]{1,8})?[^\s"'&,;}\]\\]{1,4096}/iy;
  const spans: Span[] = [];
  for (let hit = names.exec(text); hit; hit = names.exec(text)) {
    if (!isSensitiveName((hit[1] ?? hit[2] ?? '').replace(/^--?/, '')) || text.startsWith(redactionMark, names.lastIndex)) continue;
    values.lastIndex = names.lastIndex;
    const value = values.exec(text);
    if (!value) continue;
    spans.push({ start: value.index, end: value.index + value[0].length });
    names.lastIndex = value.index + value[0].length;
  }
  return spans;
}

/** From BEGIN to END, or to the end of the text. */
function privateKeys(text: string): Span[] {
  const begin = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/g;
  const spans: Span[] = [];
  for (let hit = begin.exec(text); hit; hit = begin.exec(text)) {
    const close = text.indexOf('-----END', begin.lastIndex);
    const end = close === -1 ? text.length : close;
    spans.push({ start: hit.index, end });
    begin.lastIndex = end;
  }
  return spans;
}
