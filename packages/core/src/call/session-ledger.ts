/** What each session has used, against its budget, and how often it repeats itself. */
import { ToolFailure } from '../errors.js';
import { canonicalJson } from './canonical-json.js';
import type { PlannedCall, ToolResult } from './tool-call.js';

export interface SessionBudget {
  maxCalls?: number;
  /** Running time of all calls together; milliseconds. */
  maxWallMs?: number;
  /** Sum of the tools' declared `cost`. */
  maxCost?: number;
}

interface Account {
  calls: number;
  wallMs: number;
  cost: number;
  lastCall: string;
  lastContent: unknown;
  repeats: number;
}

/** Sessions that are remembered at once; the one that was used longest ago is forgotten first. */
const maxSessions = 10_000;

export class SessionLedger {
  readonly #accounts = new Map<string, Account>();
  /** Where nothing is limited, nothing is counted. */
  readonly #counts: boolean;

  constructor(
    private readonly budget: SessionBudget,
    /** Same call with the same outcome in a row before it is refused; `Infinity` for never. */
    private readonly maxRepeats: number,
  ) {
    this.#counts = maxRepeats !== Infinity || Object.values(budget).some((limit) => limit !== undefined);
  }

  /** Counts the call as made. @throws ToolFailure `budget_exceeded` or `repeated_call` before anything is counted. */
  open(planned: PlannedCall, sessionId: string, cost: number): void {
    if (!this.#counts) return;
    const account = this.#account(sessionId);
    const { maxCalls = Infinity, maxWallMs = Infinity, maxCost = Infinity } = this.budget;
    if (account.calls + 1 > maxCalls) throw exceeded(`${maxCalls} calls`);
    if (account.wallMs >= maxWallMs) throw exceeded(`${maxWallMs} ms of running time`);
    if (account.cost + cost > maxCost) throw exceeded(`cost ${maxCost} (${account.cost} used, ${planned.tool} costs ${cost})`);
    if (this.maxRepeats !== Infinity) this.#refuseRepeat(account, planned);
    account.calls += 1;
    account.cost += cost;
  }

  close(planned: PlannedCall, sessionId: string, result: ToolResult): void {
    if (!this.#counts) return;
    const account = this.#account(sessionId);
    account.wallMs += result.durationMs;
    if (this.maxRepeats === Infinity) return;
    const call = keyOf(planned);
    const content = typeof result.content === 'string' ? result.content : JSON.stringify(result.content);
    account.repeats = account.lastCall === call && account.lastContent === content ? account.repeats + 1 : 1;
    account.lastCall = call;
    account.lastContent = content;
  }

  /** Drops what is known of a session. */
  forget(sessionId: string): void {
    this.#accounts.delete(sessionId);
  }

  #refuseRepeat(account: Account, planned: PlannedCall): void {
    if (account.repeats < this.maxRepeats || account.lastCall !== keyOf(planned)) return;
    throw new ToolFailure('repeated_call', `${planned.tool} was called ${account.repeats} times in a row with these arguments and gave the same result each time. Use it, or change the arguments.`);
  }

  #account(sessionId: string): Account {
    let account = this.#accounts.get(sessionId);
    if (!account) {
      account = { calls: 0, wallMs: 0, cost: 0, lastCall: '', lastContent: '', repeats: 0 };
      const oldest = this.#accounts.size >= maxSessions ? this.#accounts.keys().next().value : undefined;
      if (oldest !== undefined) this.#accounts.delete(oldest);
      this.#accounts.set(sessionId, account);
    }
    return account;
  }
}

function keyOf(planned: PlannedCall): string {
  return `${planned.tool} ${canonicalJson(planned.arguments)}`;
}

function exceeded(what: string): ToolFailure {
  return new ToolFailure('budget_exceeded', `The session's budget of ${what} is used up.`);
}
