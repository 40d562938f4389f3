/** The decide stop: what a call touches, brought into canonical form, and what policy says of it. Anything unclear means deny. */
import { type ToolFailure, isToolFailure } from '../errors.js';
import type { Access, CanonicalAccess } from '../permission/access.js';
import type { Decision } from '../permission/decision.js';
import { describeSource, readableResource } from '../permission/explain.js';
import type { RateVerdict } from '../permission/ports.js';
import type { ToolDefinition, ToolHandler } from '../tool/tool.js';
import type { CallPorts } from './call-ports.js';
import { refusal } from './refusal.js';
import type { CallContext } from './tool-call.js';

/**
 * The resources of the call: those of its typed parameters, then those that the tool computes itself.
 * @throws ToolFailure of the resolver or of access() as it is, `permission_denied` for any other error: what is not known is not touched.
 */
export async function resolveAccesses(tool: ToolDefinition, value: Record<string, unknown>, handler: ToolHandler, ports: CallPorts): Promise<CanonicalAccess[]> {
  try {
    const stated = [...parameterAccesses(tool, value), ...(handler.access?.() ?? [])];
    const resolved: CanonicalAccess[] = [];
    for (const access of stated) resolved.push(...(await ports.resolver.resolve(access)));
    return resolved;
  } catch (error) {
    throw closed(error, `what ${tool.name} would touch could not be found out`, tool, ports);
  }
}

/** An error inside the gate denies; a coded refusal stays what it is. */
function closed(error: unknown, what: string, tool: ToolDefinition, ports: CallPorts): ToolFailure {
  if (isToolFailure(error)) return error;
  ports.log.error(`${what}; the call is denied`, { tool: tool.name, error: error instanceof Error ? error.stack : String(error) });
  return refusal('permission_denied', `The call is denied because ${what}.`);
}

/** Whether a call of this tool can touch anything that has to be resolved. */
export function statesAccess(tool: ToolDefinition, handler: ToolHandler): boolean {
  return tool.resources.length > 0 || handler.access !== undefined;
}

function parameterAccesses(tool: ToolDefinition, value: Record<string, unknown>): Access[] {
  return tool.resources.flatMap((resource) =>
    // Of a secret its parameter's name: what is stated here is shown, matched by rules and put on record.
    valuesAt(value, resource.path.split('.')).map((text) => ({ kind: resource.kind, mode: resource.access, value: resource.kind === 'secret' ? resource.path : text })),
  );
}

/** The strings at a property path, `*` standing for every item of an array, set, map or record. Absent optional members give none. */
function valuesAt(value: unknown, path: readonly string[]): string[] {
  const [key, ...rest] = path;
  if (key === undefined) return leaves(value);
  if (typeof value !== 'object' || value === null) return [];
  // A set or map has no properties: by Object.values its items would go unjudged.
  if (key === '*') return (value instanceof Set || value instanceof Map ? [...(value as Set<unknown>).values()] : Object.values(value)).flatMap((item) => valuesAt(item, rest));
  return Object.hasOwn(value, key) ? valuesAt((value as Record<string, unknown>)[key], rest) : [];
}

function leaves(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(leaves);
  return [value instanceof URL ? value.href : String(value as string)];
}

/** Asks policy. @throws ToolFailure `permission_denied` with the deciding rule. */
export function decide(tool: ToolDefinition, accesses: readonly CanonicalAccess[], context: CallContext, ports: CallPorts): Decision {
  const decision = confirmed(tool, judge(tool, accesses, context, ports));
  if (decision.verdict === 'deny') throw denied(tool, decision, accesses, ports);
  return decision;
}

function judge(tool: ToolDefinition, accesses: readonly CanonicalAccess[], context: CallContext, ports: CallPorts): Decision {
  try {
    return ports.policy.decide({ tool, accesses, sessionId: context.sessionId });
  } catch (error) {
    ports.log.error('the permission policy failed; the call is denied', { tool: tool.name, error: error instanceof Error ? error.stack : String(error) });
    return { verdict: 'deny', reasons: [{ verdict: 'deny', rule: 'the policy could not be evaluated', source: { kind: 'default', where: 'dispatcher' } }] };
  }
}

/** A tool marked `confirm` is asked for whatever the rules allow. */
function confirmed(tool: ToolDefinition, decision: Decision): Decision {
  if (!tool.confirm || decision.verdict !== 'allow') return decision;
  const reason = { verdict: 'ask' as const, rule: 'the tool asks for confirmation each time', source: { kind: 'tool' as const, where: tool.name } };
  return { verdict: 'ask', reasons: [reason, ...decision.reasons] };
}

function denied(tool: ToolDefinition, decision: Decision, accesses: readonly CanonicalAccess[], { withoutWorkspace }: CallPorts): ToolFailure {
  const reason = decision.reasons.find(({ verdict }) => verdict === 'deny');
  const what = reason?.resource === undefined ? tool.name : `${tool.name} on ${readableResource(reason.resource)}`;
  if (decision.unattended) {
    const asked = decision.reasons.find(({ verdict }) => verdict === 'ask');
    return refusal('approval_unavailable', `${tool.name}${asked?.resource === undefined ? '' : ` on ${readableResource(asked.resource)}`} must be approved${asked ? ` (${asked.rule})` : ''}, and nobody can be asked here. A rule that names it or --yes would allow it.`);
  }
  const outside = accesses.find(({ kind, inside, resource }) => kind === 'path' && inside === false && resource === reason?.resource);
  if (outside && reason?.source.kind === 'default') {
    if (withoutWorkspace) return refusal('path_outside_workspace', `${tool.name} may not touch ${outside.value}: this program opened no workspace, so every path counts as outside. (To its developer: give the dispatcher a Workspace, or the tools one by "provide".)`);
    return refusal('path_outside_workspace', `${outside.value} leads outside the workspace (to ${outside.resource}); ${tool.name} may not touch it without a rule that names it.`);
  }
  if (reason === undefined) return refusal('permission_denied', `${what} is denied by the permission rules.`);
  const isSentence = reason.source.kind === 'default' || reason.source.kind === 'tool';
  return refusal('permission_denied', `${what} is denied${isSentence ? ':' : ' by the rule'} ${reason.rule} (${describeSource(reason.source)}).`);
}

/** @throws ToolFailure `rate_limited`, saying when the next call may be made; `permission_denied` where the limiter fails. */
export async function takeRate(tool: ToolDefinition, context: CallContext, ports: CallPorts): Promise<void> {
  const verdict = await askLimiter(tool, context, ports);
  if (!verdict || verdict.allowed) return;
  const limit = verdict.limit === undefined ? '' : ` (${verdict.limit})`;
  const seconds = Math.max(0.1, Math.ceil(verdict.retryAfterMs / 100) / 10);
  throw refusal('rate_limited', `${tool.name} is called too often${limit}; call it again in ${seconds} s.`, { retryAfterMs: verdict.retryAfterMs });
}

async function askLimiter(tool: ToolDefinition, { sessionId, user }: CallContext, ports: CallPorts): Promise<RateVerdict | undefined> {
  try {
    return await ports.rateLimiter?.take(tool, user === undefined ? { sessionId } : { sessionId, user });
  } catch (error) {
    throw closed(error, 'the rate limit could not be read', tool, ports);
  }
}
