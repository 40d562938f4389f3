/** A decision in words, for `haft permissions explain` and approval prompts. */
import { formatArgv } from './argv-pattern.js';
import type { Decision, DecisionReason, RuleSource } from './decision.js';

/** One line for the verdict, one per reason, one for what "always" would store. Plain text, not escaped for a terminal. */
export function explainDecision(decision: Decision): string[] {
  const lines = [decision.verdict, ...decision.reasons.map(explainReason)];
  if (decision.suggestion) lines.push(`"always" would store: ${decision.suggestion.join(', ')}`);
  return lines;
}

function explainReason(reason: DecisionReason): string {
  const subject = reason.resource === undefined ? '' : ` on ${readableResource(reason.resource)}`;
  return `  ${reason.verdict}${subject}: ${reason.rule} (${describeSource(reason.source)})`;
}

/** An argument vector as one would type it. */
export function readableResource(resource: string): string {
  if (!resource.startsWith('["')) return resource;
  try {
    return formatArgv(JSON.parse(resource) as string[]);
  } catch {
    return resource; // A path that happens to begin like one.
  }
}

/** E.g. `project agent.config.ts:12`, `grant g1`, `flags`, `default`. */
export function describeSource({ kind, where, line }: RuleSource): string {
  const place = line === undefined ? where : `${where}:${line}`;
  // `flags` and `permission mode auto-edit` say by themselves what they are.
  return kind === 'default' || where === kind || where === `${kind}s` ? place : `${kind} ${place}`;
}
