/** Secrets that are known by where they stand, not by value: under a telling name, in a URL, after `Bearer`. For logs, not for results. */
import { redactionMark } from './redact.js';

const telling =
  '(?:[a-z0-9]+[_-])*(?:api[_-]?key|apikey|access[_-]?key(?:[_-]?id)?|secret(?:[_-]?key)?|client[_-]?secret|private[_-]?key|pass(?:word|wd|phrase)?|pwd|(?:auth|access|refresh|id|session|bearer|api)?[_-]?token|authorization|credentials?|cookie|set-cookie|connection[_-]?string)';
const namePattern = new RegExp(`^${telling}$`, 'i');

/** Whether a field of this name holds a secret, whatever its value. */
export function isSensitiveName(name: string): boolean {
  return namePattern.test(name.replace(/([a-z0-9])([A-Z])/g, '$1_$2'));
}

const mark = redactionMark;
const shapes: readonly [RegExp, string][] = [
  // user:password@ of a URL
  [/([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#@"'<>]{1,512}@/gi, `$1${mark}@`],
  // Authorization: Bearer x, also Basic and Token
  [/\b(Bearer|Basic|Token)([ \t]+)[A-Za-z0-9._~+/=-]{6,}/gi, `$1$2${mark}`],
  // name=value and name: value, with or without quotes, in queries, commands, JSON (escaped JSON too) and YAML
  [new RegExp(`(?<![A-Za-z0-9])(${telling}\\\\*["']?\\s{0,3}[=:]\\s{0,3}\\\\*["']?)(?!${mark.replace(/[[\]]/g, '\\$&')})(?:(?:Bearer|Basic|Token)[ \\t]+)?[^\\s"'&,;}\\]\\\\]{1,4096}`, 'gi'), `$1${mark}`],
  // --password x
  [new RegExp(`(--${telling}[ \\t]+)(?!-)[^\\s"']{1,4096}`, 'gi'), `$1${mark}`],
  // keys that say themselves what they are
  [/\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}|\bgh[pousr]_[A-Za-z0-9]{20,}|\bxox[abprs]-[A-Za-z0-9-]{10,}|\bAKIA[0-9A-Z]{16}\b|\bAIza[0-9A-Za-z_-]{30,}|\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g, mark],
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]{0,16384}?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g, mark],
];

export function redactShapes(text: string): string {
  return shapes.reduce((out, [pattern, replacement]) => out.replace(pattern, replacement), text);
}
