/**
 * Passing a gate from inside another call: what the caller holds is lent to the calls that it makes, so that it never waits for itself;
 * and a wait that could never end, because two calls wait for each other, is refused.
 */
import { ToolFailure } from '../errors.js';
import { type Gate, type GateMode, Hold, type Holder, leaveGates } from './gate.js';
import { cancelled } from './run-tool.js';

/**
 * Takes a place in `gate` for `holder`, synchronously where one is free.
 * @throws ToolFailure `cancelled` when the signal aborts first, `deadlock` when the wait could not end.
 */
export function passGate(gate: Gate, holder: Holder, mode: GateMode, signal: AbortSignal): void | Promise<void> {
  const lender = holder.parent && lenderOf(holder.parent, gate);
  if (!lender) return enter(new Hold(gate, holder, mode, gate, false), signal);
  if (mode === 'exclusive' && lender.mode === 'shared') return upgrade(lender, holder, signal);
  const lent = new Hold(lender.lent, holder, mode, gate, false);
  if (lender.lent.tryEnter(lent)) return;
  if (gate.capacity !== Infinity && gate.tryEnter(new Hold(gate, holder, mode, gate, false))) return;
  return enter(lent, signal);
}

function enter(hold: Hold, signal: AbortSignal): void | Promise<void> {
  if (hold.gate.tryEnter(hold)) return;
  if (signal.aborted) throw cancelled(signal);
  refuseDeadlock(hold);
  return hold.gate.wait(hold, signal);
}

/** Alone in a gate in which callers have shared places: alone among their other calls, and alone beside them, level by level. */
async function upgrade(nearest: Hold, holder: Holder, signal: AbortSignal): Promise<void> {
  const before = holder.lastHold;
  try {
    await enter(new Hold(nearest.lent, holder, 'exclusive', nearest.origin, false), signal);
    for (let lender: Hold | undefined = nearest; lender?.mode === 'shared'; lender = lender.holder.parent && lenderOf(lender.holder.parent, nearest.origin)) {
      await enter(new Hold(lender.gate, holder, 'exclusive', nearest.origin, true), signal);
    }
  } catch (error) {
    leaveGates(holder, before);
    throw error;
  }
}

/** The nearest caller's place in this gate. */
function lenderOf(holder: Holder, gate: Gate): Hold | undefined {
  for (let caller: Holder | undefined = holder; caller; caller = caller.parent) {
    for (let hold = caller.lastHold; hold; hold = hold.previous) if (hold.origin === gate) return hold;
  }
  return undefined;
}

/** More steps than this are not searched: a wait that cannot be judged is allowed, and ends with the call's signal at the latest. */
const maxSteps = 10_000;

function refuseDeadlock(hold: Hold): void {
  if (new Search(new Set(callersOf(hold.holder))).nobodyLeaves(hold)) throw deadlock(hold.gate);
}

/** Follows who waits for whom, from the holders of one gate, until someone is found who runs and so will give back what it has. */
class Search {
  readonly #path = new Set<Gate>();
  #steps = 0;

  /** `own`: the call that asks, and its callers, none of which ends before it. */
  constructor(private readonly own: ReadonlySet<Holder>) {}

  /** For one of several places every holder must be stuck; to be alone, one stuck holder is enough. */
  nobodyLeaves(wanted: Hold): boolean {
    const { gate, mode } = wanted;
    if (this.#path.has(gate)) return true;
    if (++this.#steps > maxSteps) return false;
    this.#path.add(gate);
    const holders = awaited(wanted);
    const stuck = (holder: Holder) => this.#isStuck(holder);
    const anyPlace = mode === 'shared' && gate.capacity !== Infinity;
    const result = anyPlace ? holders.length > 0 && holders.every(stuck) : holders.some(stuck);
    this.#path.delete(gate);
    return result;
  }

  #isStuck(holder: Holder): boolean {
    if (this.own.has(holder)) return true;
    if (holder.waitsFor && this.nobodyLeaves(holder.waitsFor)) return true;
    for (const child of holder.children) if (this.#isStuck(child)) return true;
    return false;
  }
}

/** Whom a place has to wait for: not for its holder's own callers, where it asks for the gate beside them. */
function awaited({ gate, holder, upgrade: besideCallers }: Hold): readonly Holder[] {
  if (!besideCallers) return gate.holders;
  const callers = callersOf(holder);
  return gate.holders.filter((other) => !callers.includes(other));
}

/** The call itself, its caller, and so on. */
function callersOf(holder: Holder): Holder[] {
  const callers: Holder[] = [];
  for (let caller: Holder | undefined = holder; caller; caller = caller.parent) callers.push(caller);
  return callers;
}

function deadlock(gate: Gate): ToolFailure {
  return new ToolFailure('deadlock', `The call would wait for ${gate.name} for ever: who holds it waits for what this call's own caller holds. Call it again later, or not from inside another tool.`);
}
