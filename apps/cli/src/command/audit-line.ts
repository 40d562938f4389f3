// A record of the audit log as a line to read: when, what happened, to which call, how it was decided. `--json` shows all of it.
import { type AuditRecord, describeSource, readableResource, type ReadRecord, type RuleSource } from '@haft/core';
import { sanitiseLine } from '../output/sanitise.js';

const maxTargetChars = 200;

export function auditLine(record: ReadRecord): string {
  if (!('event' in record)) return `unreadable: ${sanitiseLine(String(record.unreadable)).slice(0, maxTargetChars)}`;
  const { event, at, sessionId, callId, tool } = record;
  const call = [tool, targetOf(record)].filter((part) => part !== undefined && part !== '').join(' ');
  const outcome = outcomeOf(record);
  const who = [sessionId, callId].filter((part) => part !== undefined).join(' ');
  return sanitiseLine([String(at).slice(0, 19).replace('T', ' '), String(event).padEnd(13), call, outcome, `(${who})`].filter((part) => part !== '').join('  '));
}

/** What the call touches, else what it was given. */
function targetOf({ resources, arguments: given }: AuditRecord): string | undefined {
  const named = Array.isArray(resources) ? resources.map((one: { resource?: unknown }) => readableResource(String(one.resource))) : [];
  const text = named.length > 0 ? named.join(', ') : given === undefined ? undefined : JSON.stringify(given);
  return text !== undefined && text.length > maxTargetChars ? `${text.slice(0, maxTargetChars)}…` : text;
}

function outcomeOf(record: AuditRecord): string {
  switch (record.event) {
    case 'call_planned':
    case 'call_started':
      return decisionText(record['decision']);
    case 'call_refused':
      return `${text(record['code'])}: ${text(record['error'])}`;
    case 'call_finished':
      return [text(record['status']), text(record['code']), `${Math.round(Number(record['durationMs']))} ms`].filter((part) => part !== '').join(' ');
    case 'approval':
      return record['reason'] === undefined ? text(record['answer']) : `${text(record['answer'])}: ${text(record['reason'])}`;
    case 'grant_added':
      return `${text(record['scope'])}: ${Array.isArray(record['grants']) ? record['grants'].map((grant: { rule?: unknown }) => text(grant.rule)).join(', ') : ''}`;
    case 'grant_revoked':
      return text(record['rule']);
  }
}

function decisionText(decision: unknown): string {
  if (typeof decision !== 'object' || decision === null) return '';
  const { verdict, rule, source } = decision as { verdict?: unknown; rule?: unknown; source?: RuleSource };
  return `${text(verdict)}: ${text(rule)}${source === undefined ? '' : ` (${describeSource(source)})`}`;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
}
