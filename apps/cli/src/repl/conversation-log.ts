// What the REPL remembers of the conversation for /cost, /details and /model.
import type { RunResult } from '@haft/agent';
import type { ToolResult } from '@haft/core';

export class ConversationLog {
  model = '';
  lastResults: { title: string; result: ToolResult }[] = [];
  #turns = 0;
  #input = 0;
  #output = 0;
  #cost = 0;
  #priced = false;

  startTurn(): void {
    this.lastResults = [];
  }

  addResult(title: string, result: ToolResult): void {
    this.lastResults.push({ title, result });
  }

  endTurn({ turns, usage, cost }: RunResult): void {
    this.#turns += turns;
    this.#input += usage.input;
    this.#output += usage.output;
    this.#cost += cost ?? 0;
    this.#priced ||= cost !== undefined;
  }

  summary(): string {
    const tokens = `${this.#turns} ${this.#turns === 1 ? 'turn' : 'turns'}, ${this.#input} tokens in, ${this.#output} out`;
    return this.#priced ? `${tokens}, $${this.#cost.toFixed(4)}` : tokens;
  }
}
