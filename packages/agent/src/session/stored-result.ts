/** A result as it is kept: with its data only where that is JSON and small, for the model reads the content. */
import type { ToolResult } from '@haft/core';

const MAX_DATA_CHARS = 64 * 1024;

export function storedResult(result: ToolResult): ToolResult {
  if (result.data === undefined) return result;
  const text = jsonOf(result.data);
  if (text !== undefined && text.length <= MAX_DATA_CHARS) return { ...result, data: JSON.parse(text) as unknown };
  const { data: _dropped, ...kept } = result;
  return kept;
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // A circular value or a BigInt: an application's own data, which a file cannot keep.
    return undefined;
  }
}
