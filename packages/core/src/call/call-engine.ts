/** The moving parts of one dispatcher, which all its calls share. */
import { Admission } from './admission.js';
import { AuditTrail } from './audit-trail.js';
import type { CallPorts } from './call-ports.js';
import { CircuitBreaker } from './circuit-breaker.js';
import type { NestedCaller } from './run-context.js';
import { SessionLedger } from './session-ledger.js';

export interface CallEngine {
  readonly ports: CallPorts;
  readonly audit: AuditTrail;
  readonly admission: Admission;
  readonly ledger: SessionLedger;
  readonly circuits: CircuitBreaker;
  readonly caller: NestedCaller;
}

export function createEngine(ports: CallPorts, caller: NestedCaller): CallEngine {
  return {
    ports,
    caller,
    audit: new AuditTrail(ports),
    admission: new Admission(ports.limits.maxConcurrency),
    ledger: new SessionLedger(ports.limits.budget ?? {}, ports.limits.maxRepeats),
    circuits: new CircuitBreaker(ports.limits.circuit, ports.clock.now),
  };
}
