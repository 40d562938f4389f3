/** Pauses a tool that fails again and again, and lets one call through after the pause to see whether it has mended. */
import { ToolFailure } from '../errors.js';
import type { ToolDefinition } from '../tool/tool.js';
import type { ToolResult } from './tool-call.js';

export interface CircuitOptions {
  /** Unexpected failures or time-outs in a row that open the circuit. */
  failures: number;
  /** How long it stays open; milliseconds. */
  pauseMs: number;
}

interface Circuit {
  failures: number;
  openUntil: number;
  probing: boolean;
}

/** For a tool that names what to degrade to, where the dispatcher has no circuit of its own. */
const degrading: CircuitOptions = { failures: 5, pauseMs: 30_000 };

export class CircuitBreaker {
  readonly #circuits = new Map<string, Circuit>();

  constructor(
    /** Undefined: only tools with `degradeTo` have a circuit. */
    private readonly options: CircuitOptions | undefined,
    private readonly now: () => number,
  ) {}

  /** @throws ToolFailure `circuit_open`, saying when to try again. */
  enter(tool: ToolDefinition): void {
    const options = this.#optionsOf(tool);
    const circuit = options && this.#circuits.get(tool.name);
    if (!circuit || circuit.failures < options.failures) return;
    const waitMs = circuit.openUntil - this.now();
    if (waitMs <= 0 && !circuit.probing) {
      circuit.probing = true;
      return;
    }
    const seconds = Math.max(1, Math.ceil(waitMs / 1000));
    throw new ToolFailure('circuit_open', `${tool.name} failed ${circuit.failures} times in a row and is paused; try again in ${seconds} s.`, { retryAfterMs: Math.max(waitMs, 1000) });
  }

  /** A coded failure of the tool's own (`not_found`) is an answer: the tool works. A cancelled call says nothing. */
  leave(tool: ToolDefinition, result: Pick<ToolResult, 'status' | 'code'>): void {
    const options = this.#optionsOf(tool);
    if (!options) return;
    const circuit = this.#circuits.get(tool.name) ?? { failures: 0, openUntil: 0, probing: false };
    const worked = result.status !== 'cancelled' && result.status !== 'timeout' && result.code !== 'execution_failed';
    if (worked) this.#circuits.delete(tool.name);
    else if (result.status === 'cancelled') circuit.probing = false;
    else this.#circuits.set(tool.name, { failures: circuit.failures + 1, openUntil: this.now() + options.pauseMs, probing: false });
  }

  #optionsOf(tool: ToolDefinition): CircuitOptions | undefined {
    return this.options ?? (tool.degradeTo === undefined ? undefined : degrading);
  }
}
