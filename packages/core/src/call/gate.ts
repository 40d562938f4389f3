/**
 * What calls wait at: the places of the dispatcher, those of one tool, the lock of one resource. First come, first served; a waiter
 * that is aborted never gets in. Who may pass because of what its caller holds is decided in pass-gate.ts.
 */
import { followAbort } from './abort-hub.js';
import { cancelled } from './run-tool.js';

export type GateMode = 'shared' | 'exclusive';

/** A running call, as far as gates are concerned. */
export interface Holder {
  readonly parent: Holder | undefined;
  readonly holds: Hold[];
  /** Calls that it made and that have not ended. */
  readonly children: Iterable<Holder>;
  waitsAt: { gate: Gate; request: GateRequest } | undefined;
}

export interface GateRequest {
  readonly holder: Holder;
  readonly mode: GateMode;
  /** The gate that was asked for, where this one is a lent part of it. */
  readonly origin: Gate;
  /** The holder's caller keeps a shared place here, and this wants the gate alone: it need not wait for that one. */
  readonly upgrade: boolean;
}

/** A place in a gate. */
export class Hold {
  #lent: Gate | undefined;
  #released = false;

  constructor(
    readonly gate: Gate,
    readonly request: GateRequest,
  ) {
    request.holder.holds.push(this);
  }

  /** The part of this place that the calls made by its holder share among themselves. */
  get lent(): Gate {
    const { origin, mode } = this.request;
    this.#lent ??= new Gate(origin.name, mode === 'exclusive' ? Infinity : Math.min(origin.capacity, origin.capacity === Infinity ? Infinity : 1));
    return this.#lent;
  }

  /** Once; more calls do nothing. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    const { holds } = this.request.holder;
    holds.splice(holds.indexOf(this), 1);
    this.gate.leave(this);
  }
}

interface Waiter {
  readonly request: GateRequest;
  readonly enter: () => void;
}

export class Gate {
  readonly #holds = new Set<Hold>();
  readonly #queue = new Set<Waiter>();
  #exclusive = false;

  constructor(
    readonly name: string,
    /** Places for shared holders; `Infinity` for a lock between readers and writers. */
    readonly capacity: number,
  ) {}

  get idle(): boolean {
    return this.#holds.size === 0 && this.#queue.size === 0;
  }

  get holders(): Holder[] {
    return Array.from(this.#holds, (hold) => hold.request.holder);
  }

  /** A place at once, or undefined where the request has to wait its turn. */
  tryEnter(request: GateRequest): Hold | undefined {
    if (this.#queue.size > 0 && !request.upgrade) return undefined;
    return this.#admits(request) ? this.#admit(request) : undefined;
  }

  /** A place when it is the request's turn. @throws ToolFailure `cancelled` when the signal aborts before; it must not be aborted yet. */
  wait(request: GateRequest, signal: AbortSignal): Promise<Hold> {
    const { holder } = request;
    return new Promise((resolve, reject) => {
      const settle = () => {
        unfollow();
        holder.waitsAt = undefined;
        this.#queue.delete(waiter);
      };
      const enter = () => {
        settle();
        resolve(this.#admit(request));
      };
      const waiter: Waiter = { request, enter };
      const unfollow = followAbort(signal, () => {
        settle();
        reject(cancelled(signal));
        this.#admitWaiting();
      });
      this.#queue.add(waiter);
      holder.waitsAt = { gate: this, request };
    });
  }

  leave(hold: Hold): void {
    this.#holds.delete(hold);
    if (hold.request.mode === 'exclusive') this.#exclusive = false;
    if (this.#queue.size > 0) this.#admitWaiting();
  }

  #admits({ mode, upgrade }: GateRequest): boolean {
    if (this.#exclusive) return false;
    return mode === 'exclusive' ? this.#holds.size <= (upgrade ? 1 : 0) : this.#holds.size < this.capacity;
  }

  #admit(request: GateRequest): Hold {
    const hold = new Hold(this, request);
    this.#holds.add(hold);
    if (request.mode === 'exclusive') this.#exclusive = true;
    return hold;
  }

  /** In order; only who holds a part already goes before the first, or neither would ever get on. */
  #admitWaiting(): void {
    for (const { request, enter } of this.#queue) if (request.upgrade && this.#admits(request)) enter();
    for (const { request, enter } of this.#queue) {
      if (!this.#admits(request)) return;
      enter();
    }
  }
}
