/** Makes a record fit for the audit log: secrets out, JSON only, no endless texts, time and event always there. */
import { createHash } from 'node:crypto';
import type { AuditRecord, Redactor } from './ports.js';
import { isSensitiveName, redactShapes } from './sensitive-text.js';
import { redactionMark } from './redact.js';

const maxTextChars = 8192;
const maxDepth = 32;
const maxItems = 1000;

/** The record's own `seq` and `mac`, if any, would be taken for the chain's: they are renamed. */
export function auditable(record: AuditRecord, redactor?: Redactor): AuditRecord {
  const clean = cleanEntries(record, redactor, 0);
  for (const name of ['seq', 'mac']) {
    if (!Object.hasOwn(clean, name)) continue;
    clean[`record_${name}`] = clean[name];
    delete clean[name];
  }
  return clean as unknown as AuditRecord;
}

function cleanEntries(value: object, redactor: Redactor | undefined, depth: number): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const [name, entry] of Object.entries(value).slice(0, maxItems)) {
    const key = cleanText(name, redactor);
    const kept = isSensitiveName(name) && (typeof entry === 'string' || typeof entry === 'number') ? redactionMark : clean(entry, redactor, depth + 1);
    Object.defineProperty(out, key, { value: kept, enumerable: true, configurable: true, writable: true });
  }
  return out;
}

function clean(value: unknown, redactor: Redactor | undefined, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value, redactor);
  if (typeof value === 'number' || typeof value === 'bigint') return cleanNumber(value, redactor);
  if (typeof value !== 'object' || value === null) return typeof value === 'function' || typeof value === 'symbol' ? String(value) : value;
  if (depth > maxDepth) return '[too deep]';
  if ('toJSON' in value && typeof value.toJSON === 'function') return clean((value.toJSON as () => unknown)(), redactor, depth + 1);
  if (value instanceof Error) return cleanText(`${value.name}: ${value.message}`, redactor);
  if (Array.isArray(value)) return value.slice(0, maxItems).map((item) => clean(item, redactor, depth + 1));
  return cleanEntries(value, redactor, depth);
}

function cleanNumber(value: number | bigint, redactor?: Redactor): unknown {
  const text = String(value);
  const redacted = redactor?.redact(text) ?? text;
  if (redacted !== text) return redacted;
  return typeof value === 'bigint' ? text : value;
}

function cleanText(text: string, redactor?: Redactor): string {
  const redacted = redactShapes(redactor?.redact(text) ?? text);
  if (redacted.length <= maxTextChars) return redacted;
  const digest = createHash('sha256').update(redacted).digest('hex');
  const half = maxTextChars / 2;
  return `${redacted.slice(0, half)}… ${redacted.length - maxTextChars} characters left out, sha256 of the whole ${digest} …${redacted.slice(-half)}`;
}
