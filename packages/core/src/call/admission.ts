/** The gates that one attempt of a call passes before it runs, always in the same order: dispatcher, tool, then resources by name. */
import type { CanonicalAccess } from '../permission/access.js';
import type { ToolDefinition } from '../tool/tool.js';
import { Gate, type GateMode, type Holder } from './gate.js';
import { passGate } from './pass-gate.js';

export class Admission {
  readonly #places: Gate;
  readonly #tools = new Map<string, Gate>();
  readonly #locks = new Map<string, Gate>();

  constructor(maxConcurrency: number) {
    this.#places = new Gate('a free place in the dispatcher', maxConcurrency);
  }

  /**
   * Returns at once, or resolves, when the call may run. What it got is given back by `leaveGates(holder)`, also where this throws.
   * @throws ToolFailure `cancelled` or `deadlock`
   */
  enter(tool: ToolDefinition, accesses: readonly CanonicalAccess[], holder: Holder, signal: AbortSignal): void | Promise<void> {
    const first = passGate(this.#places, holder, tool.concurrency === 'exclusive' ? 'exclusive' : 'shared', signal);
    if (first ?? (typeof tool.concurrency === 'number' || accesses.length > 0)) return this.#enterRest(first, tool, accesses, holder, signal);
  }

  async #enterRest(first: void | Promise<void>, tool: ToolDefinition, accesses: readonly CanonicalAccess[], holder: Holder, signal: AbortSignal): Promise<void> {
    await first;
    if (typeof tool.concurrency === 'number') await passGate(this.#gateOf(tool.name, tool.concurrency), holder, 'shared', signal);
    for (const [resource, mode] of locksOf(accesses)) await this.#lock(resource, mode, holder, signal);
  }

  #gateOf(tool: string, concurrency: number): Gate {
    let gate = this.#tools.get(tool);
    if (!gate) this.#tools.set(tool, (gate = new Gate(`a free place of ${tool}`, Math.max(1, concurrency))));
    return gate;
  }

  /** A lock exists only while someone has it or waits for it. */
  async #lock(resource: string, mode: GateMode, holder: Holder, signal: AbortSignal): Promise<void> {
    let gate = this.#locks.get(resource);
    if (!gate) this.#locks.set(resource, (gate = new Gate(resource, Infinity)));
    await passGate(gate, holder, mode, signal);
    if (this.#locks.size > 1000) this.#forgetIdleLocks();
  }

  #forgetIdleLocks(): void {
    for (const [resource, gate] of this.#locks) if (gate.idle) this.#locks.delete(resource);
  }
}

/** One lock a path, the stronger mode where it is named twice; sorted, so that two calls take theirs in the same order. */
function locksOf(accesses: readonly CanonicalAccess[]): [string, GateMode][] {
  const modes = new Map<string, GateMode>();
  for (const { kind, mode, resource } of accesses) {
    if (kind !== 'path') continue;
    if (mode === 'write' || !modes.has(resource)) modes.set(resource, mode === 'write' ? 'exclusive' : 'shared');
  }
  return [...modes].sort(([a], [b]) => (a < b ? -1 : 1));
}
