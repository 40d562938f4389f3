/** How full the model's context is: the provider's last count, and estimates for what came after it. */
import type { ToolDefinition } from '@haft/core';
import type { Message, Usage } from '../messages.js';
import { messageTokens, textTokens, toolTokens } from './estimate-tokens.js';

export class ContextGauge {
  /** Tokens of the first `counted` messages, system prompt and tools, as the provider counted them. */
  private base: number | undefined;
  private counted = 0;

  constructor(private readonly system: string | undefined) {}

  /** After an answer that was given on `messages` messages; the answer itself is among what comes after. */
  measured(usage: Usage, messages: number): void {
    // Some servers report nothing; then estimates have to do.
    if (usage.input <= 0) return;
    this.base = usage.input;
    this.counted = messages;
  }

  reset(): void {
    this.base = undefined;
    this.counted = 0;
  }

  tokens(messages: readonly Message[], tools: readonly ToolDefinition[]): number {
    let total = this.base ?? textTokens(this.system ?? '') + toolTokens(tools);
    for (let index = this.counted; index < messages.length; index += 1) total += messageTokens(messages[index] as Message);
    return total;
  }
}
