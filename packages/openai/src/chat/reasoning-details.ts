/** OpenRouter's `reasoning_details`: pieces of one block are joined, blocks go back in their order. */
import type { Json } from '@haft/core';

const joined = ['text', 'summary', 'data', 'signature'];

export function mergeDetails(into: Record<string, Json>[], pieces: readonly unknown[]): void {
  for (const piece of pieces as Record<string, Json>[]) {
    const last = into.at(-1);
    if (last === undefined || piece.index === undefined || last.index !== piece.index || last.type !== piece.type) {
      into.push({ ...piece });
      continue;
    }
    for (const [key, value] of Object.entries(piece)) {
      const before = last[key];
      last[key] = joined.includes(key) && typeof before === 'string' && typeof value === 'string' ? before + value : (value ?? before ?? null);
    }
  }
}
