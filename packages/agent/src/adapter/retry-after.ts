/** How long a provider asks to wait, from its headers. */

/**
 * Milliseconds, or undefined when the headers say nothing. `retry-after-ms` is the finest, then `retry-after` (seconds or an HTTP date),
 * then the reset time of a limit whose remaining count is zero (OpenAI: `6m0s`; Anthropic: RFC 3339; others: seconds or epoch).
 */
export function retryAfterMs(headers: Headers | undefined, now: number): number | undefined {
  if (headers === undefined) return undefined;
  const exact = number(headers.get('retry-after-ms'));
  if (exact !== undefined) return exact;
  const after = headers.get('retry-after');
  if (after !== null) return moment(after, now);
  return resetOfSpentLimit(headers, now);
}

function resetOfSpentLimit(headers: Headers, now: number): number | undefined {
  let longest: number | undefined;
  headers.forEach((value, name) => {
    const match = /^(x|anthropic)-?ratelimit-(.*)$/.exec(name);
    if (match === null || !/reset/.test(name)) return;
    const remaining = headers.get(name.replace('reset', 'remaining'));
    if (remaining !== null && Number(remaining) > 0) return;
    const wait = moment(value, now);
    if (wait !== undefined && (longest === undefined || wait > longest)) longest = wait;
  });
  return longest;
}

function moment(text: string, now: number): number | undefined {
  const plain = number(text);
  if (plain !== undefined) {
    if (plain > 1e12) return Math.max(0, plain - now);
    return plain > 1e9 ? Math.max(0, plain * 1000 - now) : Math.ceil(plain * 1000);
  }
  return duration(text) ?? date(text, now);
}

/** Milliseconds from words such as "Please try again in 1m20s." or "Please retry in 38.5s". */
export function waitInMessage(message: string): number | undefined {
  const said = /(?:try again|retry) in ((?:\d+(?:\.\d+)?(?:ms|d|h|m|s))+)/i.exec(message)?.[1];
  return said === undefined ? undefined : duration(said);
}

function number(text: string | null): number | undefined {
  if (text === null || !/^\s*\d+(\.\d+)?\s*$/.test(text)) return undefined;
  return Number(text);
}

const units: Record<string, number> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

function duration(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ms|d|h|m|s))+$/.test(text.trim())) return undefined;
  let total = 0;
  for (const [, amount, , unit] of text.matchAll(/(\d+(\.\d+)?)(ms|d|h|m|s)/g)) total += Number(amount) * (units[unit ?? ''] ?? 0);
  return Math.ceil(total);
}

function date(text: string, now: number): number | undefined {
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
