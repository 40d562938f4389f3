/** What the dispatcher writes to the audit log: refusals, answers, starts (before the tool runs) and ends. */
import { ToolFailure } from '../errors.js';
import type { ApprovalAnswer } from '../permission/approval.js';
import type { AuditRecord } from '../permission/ports.js';
import type { JsonObject } from '../schema/json.js';
import type { CallPorts } from './call-ports.js';
import { parseArguments } from './parse-arguments.js';
import { maskedArguments } from './planned-call.js';
import { redactData } from './redact-result.js';
import type { CallContext, PlannedCall, ToolCall, ToolResult } from './tool-call.js';

export class AuditTrail {
  constructor(private readonly ports: CallPorts) {}

  async refused(call: ToolCall, result: ToolResult, context: CallContext): Promise<void> {
    if (!this.ports.audit) return;
    await this.#tryAppend({ event: 'call_refused', callId: call.id, tool: call.name, ...this.#asked(call, result), code: result.code, error: result.error }, context);
  }

  async approval(planned: PlannedCall, answer: ApprovalAnswer, context: CallContext): Promise<void> {
    const record = { event: 'approval' as const, ...this.#about(planned), hash: planned.hash, answer: answer.answer };
    await this.#append(answer.answer === 'deny' && answer.reason !== undefined ? { ...record, reason: answer.reason } : record, context, planned);
  }

  /** Written ahead: what can change something does not run unless this is on disk. @throws ToolFailure `audit_unavailable` */
  async started(planned: PlannedCall, context: CallContext): Promise<void> {
    if (!this.ports.audit) return;
    await this.#append({ event: 'call_started', ...this.#about(planned), hash: planned.hash, decision: decisionOf(planned) }, context, planned);
  }

  async finished(planned: PlannedCall, result: ToolResult, context: CallContext): Promise<void> {
    if (!this.ports.audit) return;
    const { status, code, durationMs, retryCount } = result;
    await this.#tryAppend({ event: 'call_finished', callId: planned.call.id, tool: planned.tool, status, ...(code === undefined ? {} : { code }), durationMs, retryCount }, context);
  }

  #about(planned: PlannedCall): Omit<AuditRecord, 'event' | 'at' | 'sessionId'> {
    return {
      callId: planned.call.id,
      tool: planned.tool,
      plugin: planned.plugin,
      scopes: planned.scopes,
      arguments: maskedArguments(this.ports.registry.get(planned.tool), planned.arguments),
      resources: planned.accesses.map(({ kind, mode, resource }) => ({ kind, mode, resource })),
    };
  }

  /** What a refused call asked for, where it can be read and it is known which of its values are sensitive. */
  #asked(call: ToolCall, result: ToolResult): { arguments?: object } {
    const tool = this.ports.registry.get(call.name);
    if (!tool || (tool.sensitive.length > 0 && result.code === 'invalid_arguments')) return {};
    try {
      return { arguments: maskedArguments(tool, parseArguments(call.arguments) as JsonObject) };
    } catch {
      return {}; // The refusal says what is wrong with them.
    }
  }

  async #append(record: Omit<AuditRecord, 'at' | 'sessionId'> & Pick<AuditRecord, 'event'>, context: CallContext, planned: PlannedCall): Promise<void> {
    try {
      await this.ports.audit?.append(this.#complete(record, context));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.ports.log.error('the audit log cannot be written', { callId: planned.call.id, reason });
      if (planned.scopes.some((scope) => scope !== 'read')) throw new ToolFailure('audit_unavailable', `The audit log cannot be written (${reason}), so ${planned.tool} is not run.`);
    }
  }

  /** For what has happened already: a failure to write it is logged and changes nothing. */
  async #tryAppend(record: Omit<AuditRecord, 'at' | 'sessionId'> & Pick<AuditRecord, 'event'>, context: CallContext): Promise<void> {
    try {
      await this.ports.audit?.append(this.#complete(record, context));
    } catch (error) {
      this.ports.log.error('the audit log cannot be written', { callId: record['callId'], reason: error instanceof Error ? error.message : String(error) });
    }
  }

  #complete(record: object & Pick<AuditRecord, 'event'>, context: CallContext): AuditRecord {
    const complete = { at: new Date().toISOString(), sessionId: context.sessionId, ...(context.user === undefined ? {} : { user: context.user }), ...record };
    const { redactor } = this.ports;
    return redactor ? (redactData(complete, (text) => redactor.redact(text)) as AuditRecord) : complete;
  }
}

function decisionOf(planned: PlannedCall): object {
  const reason = planned.decision.reasons[0];
  return { verdict: planned.decision.verdict, rule: reason?.rule, source: reason?.source };
}
