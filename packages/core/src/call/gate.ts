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
  /** Calls that it made and that have not ended. */
  readonly children: Iterable<Holder>;
  /** The newest of its places; the others follow by `previous`. */
  lastHold: Hold | undefined;
  /** The place that it waits for now. */
  waitsFor: Hold | undefined;
}

/** A place in a gate: asked for, then held, then released. */
export class Hold {
  /** The place that its holder took before it. */
  previous: Hold | undefined;
  /** Neighbours among the places of the gate: a list, because a set costs more than the rest of an undisturbed passage. */
  before: Hold | undefined;
  after: Hold | undefined;
  #lent: Gate | undefined;

  constructor(
    readonly gate: Gate,
    readonly holder: Holder,
    readonly mode: GateMode,
    /** The gate that was asked for, where `gate` is a lent part of it. */
    readonly origin: Gate,
    /** The holder's caller keeps a shared place here, and this wants the gate alone: it need not wait for that one. */
    readonly upgrade: boolean,
  ) {}

  /** The part of this place that the calls made by its holder share among themselves. */
  get lent(): Gate {
    this.#lent ??= new Gate(this.origin.name, this.mode === 'exclusive' || this.origin.capacity === Infinity ? Infinity : 1);
    return this.#lent;
  }
}

interface Waiter {
  readonly hold: Hold;
  readonly enter: () => void;
}

export class Gate {
  #newest: Hold | undefined;
  #taken = 0;
  readonly #queue = new Set<Waiter>();
  /** Those who hold a part already and want all of it: they go before the queue, or neither would ever get on. */
  readonly #upgrades = new Set<Waiter>();
  #exclusive = false;

  constructor(
    readonly name: string,
    /** Places for shared holders; `Infinity` for a lock between readers and writers. */
    readonly capacity: number,
  ) {}

  get idle(): boolean {
    return this.#taken === 0 && this.#queue.size === 0 && this.#upgrades.size === 0;
  }

  get holders(): Holder[] {
    const holders: Holder[] = [];
    for (let hold = this.#newest; hold; hold = hold.before) holders.push(hold.holder);
    return holders;
  }

  /** Takes the place at once, or returns false where it has to wait its turn. */
  tryEnter(hold: Hold): boolean {
    if ((this.#queue.size + this.#upgrades.size > 0 && !hold.upgrade) || !this.#admits(hold)) return false;
    this.#admit(hold);
    return true;
  }

  /** Resolves when the place is taken. @throws ToolFailure `cancelled` when the signal aborts before; it must not be aborted yet. */
  wait(hold: Hold, signal: AbortSignal): Promise<void> {
    const { holder } = hold;
    const queue = hold.upgrade ? this.#upgrades : this.#queue;
    return new Promise((resolve, reject) => {
      const settle = () => {
        unfollow();
        holder.waitsFor = undefined;
        queue.delete(waiter);
      };
      const enter = () => {
        settle();
        this.#admit(hold);
        resolve();
      };
      const waiter: Waiter = { hold, enter };
      const unfollow = followAbort(signal, () => {
        settle();
        reject(cancelled(signal));
        this.#admitWaiting();
      });
      queue.add(waiter);
      holder.waitsFor = hold;
    });
  }

  /** Gives a place back. Only the newest place of a holder can be given back. */
  leave(hold: Hold): void {
    hold.holder.lastHold = hold.previous;
    this.#taken -= 1;
    if (hold.after) hold.after.before = hold.before;
    else this.#newest = hold.before;
    if (hold.before) hold.before.after = hold.after;
    if (hold.mode === 'exclusive') this.#exclusive = false;
    if (this.#queue.size + this.#upgrades.size > 0) this.#admitWaiting();
  }

  #admits({ mode, upgrade }: Hold): boolean {
    if (this.#exclusive) return false;
    return mode === 'exclusive' ? this.#taken <= (upgrade ? 1 : 0) : this.#taken < this.capacity;
  }

  #admit(hold: Hold): void {
    this.#taken += 1;
    hold.before = this.#newest;
    if (hold.before) hold.before.after = hold;
    this.#newest = hold;
    if (hold.mode === 'exclusive') this.#exclusive = true;
    hold.previous = hold.holder.lastHold;
    hold.holder.lastHold = hold;
  }

  /** In order, as far as there is room. */
  #admitWaiting(): void {
    for (const queue of [this.#upgrades, this.#queue]) {
      for (const { hold, enter } of queue) {
        if (!this.#admits(hold)) return;
        enter();
      }
    }
  }
}

/** Gives back the newest places of a holder, down to but not including `until`. */
export function leaveGates(holder: Holder, until?: Hold): void {
  while (holder.lastHold && holder.lastHold !== until) holder.lastHold.gate.leave(holder.lastHold);
}
