/** Assertions on results of calls, for jest and whatever else has `expect.extend`. */
import { isDeepStrictEqual } from 'node:util';
import type { ToolResult } from '../call/tool-call.js';
import type { KnownErrorCode } from '../errors.js';

export interface MatcherOutcome {
  pass: boolean;
  message: () => string;
}

/** What jest calls matchers with, as far as they use it. */
interface MatcherThis {
  equals?: (a: unknown, b: unknown) => boolean;
}

/**
 * For `expect.extend(toolMatchers)`: `expect(result).toSucceedWith(data)` and `expect(result).toFailWith(code, message?)`. The data may hold
 * asymmetric matchers; without it any success will do. A message is a part of the text, or a pattern for it.
 */
export const toolMatchers = {
  toSucceedWith(this: MatcherThis | void, result: ToolResult, ...data: [] | [unknown]): MatcherOutcome {
    const equals = this?.equals ?? isDeepStrictEqual;
    if (!result.success) return { pass: false, message: () => `The call of ${result.tool} failed with ${result.code}: ${result.error ?? ''}` };
    const pass = data.length === 0 || equals(result.data, data[0]);
    return { pass, message: () => `The call of ${result.tool} succeeded with ${show(result.data)}${pass ? '' : `, not with ${show(data[0])}`}.` };
  },

  toFailWith(this: MatcherThis | void, result: ToolResult, code: KnownErrorCode | (string & {}), message?: string | RegExp): MatcherOutcome {
    if (result.success) return { pass: false, message: () => `The call of ${result.tool} should have failed with ${code}; it succeeded with ${show(result.data)}.` };
    const said = result.error ?? '';
    const fits = message === undefined || (typeof message === 'string' ? said.includes(message) : message.test(said));
    return { pass: result.code === code && fits, message: () => `The call of ${result.tool} failed with ${result.code}: ${said}` };
  },
};

export interface ToolExpectation {
  toSucceedWith(...data: [] | [unknown]): void;
  toFailWith(code: KnownErrorCode | (string & {}), message?: string | RegExp): void;
}

/** The same without `expect.extend` and its types: `expectTool(result).toFailWith('not_found')`. @throws Error with what the result was. */
export function expectTool(result: ToolResult): ToolExpectation {
  const judge = ({ pass, message }: MatcherOutcome) => {
    if (!pass) throw new Error(message());
  };
  return {
    toSucceedWith: (...data) => judge(toolMatchers.toSucceedWith.call(undefined, result, ...data)),
    toFailWith: (code, message) => judge(toolMatchers.toFailWith.call(undefined, result, code, message)),
  };
}

function show(value: unknown): string {
  try {
    return (JSON.stringify(value) ?? String(value)).slice(0, 500);
  } catch {
    return Object.prototype.toString.call(value);
  }
}
