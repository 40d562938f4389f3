/** The lines of the grants file as pure data. A line that is not understood spoils the file: a lost revocation would allow too much. */
import { parseRule } from './rule.js';

export interface StoredGrant {
  id: string;
  /** The rule as it was shown. */
  rule: string;
  root: string;
  sessionId: string;
  /** ISO time. */
  at: string;
}

export function formatGrant({ id, rule, root, sessionId, at }: StoredGrant): string {
  return `${JSON.stringify({ op: 'add', id, rule, root, sessionId, at })}\n`;
}

export function formatRevocation(id: string): string {
  return `${JSON.stringify({ op: 'revoke', id, at: new Date().toISOString() })}\n`;
}

/** The grants that stand after all lines, or what is wrong. */
export function foldGrants(lines: readonly string[]): StoredGrant[] | string {
  const grants = new Map<string, StoredGrant>();
  for (const [index, line] of lines.entries()) {
    const record = parseLine(line);
    if (!record) return `line ${index + 1} is not a grant or a revocation`;
    if ('revoked' in record) grants.delete(record.revoked);
    else grants.set(record.id, record);
  }
  return [...grants.values()];
}

function parseLine(line: string): StoredGrant | { revoked: string } | undefined {
  try {
    const value = JSON.parse(line) as Partial<Record<'op' | keyof StoredGrant, unknown>> | null;
    const { op, id, rule, root, sessionId, at } = value ?? {};
    if (typeof id !== 'string') return undefined;
    if (op === 'revoke') return { revoked: id };
    if (op !== 'add' || typeof rule !== 'string' || typeof root !== 'string' || typeof sessionId !== 'string' || typeof at !== 'string') return undefined;
    parseRule(rule);
    return { id, rule, root, sessionId, at };
  } catch {
    return undefined; // Said by the caller, with the line's number.
  }
}
