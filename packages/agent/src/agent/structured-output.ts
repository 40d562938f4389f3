/** A final answer of a given shape: a class with `@Param` fields says what it must be, and checks it. */
import { type Class, type Issue, parseAs, tool } from '@haft/core';
import type { OutputCheck } from '../loop/run-job.js';

/** Throws a SetupError when the class cannot be described. */
export function outputOf(target: Class<object>): OutputCheck {
  const name = target.name.replace(/[^A-Za-z0-9_]/g, '_') || 'Answer';
  const { parameters: schema } = tool({ name: 'final_answer', description: `The final answer: ${name}.`, scopes: [], parameters: target }, () => undefined);
  return {
    name,
    schema,
    instruction: `When you are done, answer with one JSON object and nothing else. It must fit this JSON Schema (${name}):\n${JSON.stringify(schema)}`,
    check: (text) => checkText(text, target),
  };
}

function checkText(text: string, target: Class<object>): ReturnType<OutputCheck['check']> {
  let value: unknown;
  try {
    value = JSON.parse(withoutFence(text));
  } catch (error) {
    return { ok: false, problem: `it is not JSON (${error instanceof Error ? error.message : String(error)})` };
  }
  const parsed = parseAs(target, value);
  return parsed.ok ? parsed : { ok: false, problem: parsed.issues.map(sentence).join('; ') };
}

function sentence({ message }: Issue): string {
  return message;
}

/** Models like to put JSON into a code block, also when told not to. */
function withoutFence(text: string): string {
  return text.match(/^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/)?.[1] ?? text;
}
