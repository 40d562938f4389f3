/**
 * Passing a gate from inside another call: what the caller holds is lent to the calls that it makes, so that it never waits for itself;
 * and a wait that could never end, because two calls wait for each other, is refused.
 */
import { ToolFailure } from '../errors.js';
import { type Gate, type GateMode, type GateRequest, Hold, type Holder } from './gate.js';
import { cancelled } from './run-tool.js';

/**
 * A place in `gate`, synchronously where one is free.
 * @throws ToolFailure `cancelled` when the signal aborts first, `deadlock` when the wait could not end.
 */
export function passGate(gate: Gate, holder: Holder, mode: GateMode, signal: AbortSignal): Hold | Promise<Hold> {
  const lender = lenderOf(holder.parent, gate);
  const request: GateRequest = { holder, mode, origin: gate, upgrade: false };
  if (!lender) return enter(gate, request, signal);
  if (mode === 'exclusive' && lender.request.mode === 'shared') return upgrade(gate, request, signal);
  return lender.lent.tryEnter(request) ?? (gate.capacity === Infinity ? undefined : gate.tryEnter(request)) ?? enter(lender.lent, request, signal);
}

function enter(gate: Gate, request: GateRequest, signal: AbortSignal): Hold | Promise<Hold> {
  const hold = gate.tryEnter(request);
  if (hold) return hold;
  if (signal.aborted) throw cancelled(signal);
  refuseDeadlock(gate, request);
  return gate.wait(request, signal);
}

/** Alone in a gate in which callers have shared places: alone among their other calls, and alone beside them, level by level. */
async function upgrade(gate: Gate, request: GateRequest, signal: AbortSignal): Promise<Hold> {
  const taken: Hold[] = [];
  try {
    const nearest = lenderOf(request.holder.parent, gate);
    if (nearest) taken.push(await enter(nearest.lent, request, signal));
    for (let lender = nearest; lender?.request.mode === 'shared'; lender = lenderOf(lender.request.holder.parent, gate)) {
      taken.push(await enter(lender.gate, { ...request, upgrade: true }, signal));
    }
  } catch (error) {
    for (const hold of taken) hold.release();
    throw error;
  }
  return new HoldGroup(gate, request, taken);
}

/** Several holds that are given back as one. */
class HoldGroup extends Hold {
  constructor(
    gate: Gate,
    request: GateRequest,
    private readonly parts: readonly Hold[],
  ) {
    super(gate, request);
  }

  override release(): void {
    const { holds } = this.request.holder;
    const index = holds.indexOf(this);
    if (index !== -1) holds.splice(index, 1);
    for (const part of this.parts.toReversed()) part.release();
  }
}

/** The nearest caller's place in this gate. */
function lenderOf(holder: Holder | undefined, gate: Gate): Hold | undefined {
  for (let caller = holder; caller; caller = caller.parent) {
    const hold = caller.holds.find(({ request }) => request.origin === gate);
    if (hold) return hold;
  }
  return undefined;
}

/** More steps than this are not searched: a wait that cannot be judged is allowed, and ends with the call's signal at the latest. */
const maxSteps = 10_000;

function refuseDeadlock(gate: Gate, request: GateRequest): void {
  if (new Search(new Set(callersOf(request.holder))).nobodyLeaves(gate, request)) throw deadlock(gate);
}

/** Follows who waits for whom, from the holders of one gate, until someone is found who runs and so will give back what it has. */
class Search {
  readonly #path = new Set<Gate>();
  #steps = 0;

  /** `own`: the call that asks, and its callers, none of which ends before it. */
  constructor(private readonly own: ReadonlySet<Holder>) {}

  /** For one of several places every holder must be stuck; to be alone, one stuck holder is enough. */
  nobodyLeaves(gate: Gate, request: GateRequest): boolean {
    if (this.#path.has(gate)) return true;
    if (++this.#steps > maxSteps) return false;
    this.#path.add(gate);
    const holders = awaited(gate, request);
    const stuck = (holder: Holder) => this.#isStuck(holder);
    const anyPlace = request.mode === 'shared' && gate.capacity !== Infinity;
    const result = anyPlace ? holders.length > 0 && holders.every(stuck) : holders.some(stuck);
    this.#path.delete(gate);
    return result;
  }

  #isStuck(holder: Holder): boolean {
    if (this.own.has(holder)) return true;
    if (holder.waitsAt && this.nobodyLeaves(holder.waitsAt.gate, holder.waitsAt.request)) return true;
    for (const child of holder.children) if (this.#isStuck(child)) return true;
    return false;
  }
}

/** Whom the request has to wait for: not for its own callers, where it asks for the gate beside them. */
function awaited(gate: Gate, { holder, upgrade: besideCallers }: GateRequest): readonly Holder[] {
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
