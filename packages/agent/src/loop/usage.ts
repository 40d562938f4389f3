/** Sums of tokens. */
import type { Usage } from '../messages.js';

export const noUsage = (): Usage => ({ input: 0, output: 0 });

/** Adds `more` to `total` in place; optional counts appear only when a provider reports them. */
export function addUsage(total: Usage, more: Usage): void {
  total.input += more.input;
  total.output += more.output;
  if (more.cacheRead !== undefined) total.cacheRead = (total.cacheRead ?? 0) + more.cacheRead;
  if (more.cacheWrite !== undefined) total.cacheWrite = (total.cacheWrite ?? 0) + more.cacheWrite;
  if (more.reasoning !== undefined) total.reasoning = (total.reasoning ?? 0) + more.reasoning;
}
