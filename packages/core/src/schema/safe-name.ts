/** Names of fields for providers that take only `[a-zA-Z0-9_.-]{1,64}`: one such name makes every request with the tool fail. */
import { createHash } from 'node:crypto';

const safe = /^[a-zA-Z0-9_.-]{1,64}$/;

/** The name itself where it is safe; else a readable one with a hash, the same every time, which the parser takes for the field too. */
export function safeName(name: string): string {
  if (safe.test(name)) return name;
  const readable = name.replaceAll(/[^a-zA-Z0-9_.-]+/g, '_').slice(0, 55);
  return `${readable}_${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
}
