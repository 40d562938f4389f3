/** An audit log that is only kept in memory: for tests, and for hosts that send records elsewhere. */
import { auditable } from './audit-record.js';
import type { AuditLog, AuditRecord, Redactor } from './ports.js';

export class MemoryAuditLog implements AuditLog {
  readonly records: AuditRecord[] = [];

  constructor(private readonly redactor?: Redactor) {}

  async append(record: AuditRecord): Promise<void> {
    this.records.push(auditable(record, this.redactor));
  }
}
