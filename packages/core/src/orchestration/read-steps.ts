/** Steps and routers from JSON, checked: every mistake is named with its place. */
import { ToolFailure } from '../errors.js';
import { parseArguments } from '../call/parse-arguments.js';
import { type Condition, conditionKeys } from './condition.js';
import type { Route, RouterSpec } from './router.js';
import type { Step } from './step.js';
import { didYouMean } from '../schema/issue.js';

const maxSteps = 100;

/** @throws ToolFailure `invalid_arguments` */
export function readSteps(value: unknown, where: string): Step[] {
  if (!Array.isArray(value) || value.length === 0) throw refuse(where, 'must be a list of at least one step');
  if (value.length > maxSteps) throw refuse(where, `has ${value.length} steps; at most ${maxSteps} are run`);
  return value.map((item, index) => readStep(item, `${where}[${index}]`));
}

const stepKeys = ['tool', 'name', 'id', 'arguments', 'args', 'params', 'after'];

/**
 * `{"tool", "arguments"?, "name"?, "after"?}`. A plain call is a step too: `{"name", "arguments"?, "id"?}`, where `name` is the tool and `id` what
 * templates call the step. `args` and `params` are understood for `arguments`, which may also be the raw text that a model wrote.
 */
export function readStep(value: unknown, where: string): Step {
  const given = objectAt(value, where);
  refuseStray(given, stepKeys, where);
  const isPlainCall = given['tool'] === undefined;
  const tool = isPlainCall ? given['name'] : given['tool'];
  if (typeof tool !== 'string') throw refuse(where, 'needs "tool", the name of a tool');
  const step: Step = { tool };
  const args = given['arguments'] ?? given['args'] ?? given['params'];
  if (args !== undefined) step.arguments = typeof args === 'string' ? parseArguments(args) : objectAt(args, `${where}.arguments`);
  const name = given['id'] ?? (isPlainCall ? undefined : given['name']);
  if (name !== undefined) step.name = nameAt(name, `${where}.name`);
  if (given['after'] !== undefined) step.after = listAt(given['after'], `${where}.after`).map((one, index) => nameAt(one, `${where}.after[${index}]`));
  return step;
}

/** `{"call"?: step, "routes": [{"when": condition, "then": step}], "default"?: step}` */
export function readRouter(value: unknown): RouterSpec {
  const given = objectAt(value, 'router');
  refuseStray(given, ['call', 'routes', 'default'], 'router');
  const routes = listAt(given['routes'], 'router.routes').map((route, index) => readRoute(route, `router.routes[${index}]`));
  const spec: RouterSpec = { routes };
  if (given['call'] !== undefined) spec.call = readStep(given['call'], 'router.call');
  if (given['default'] !== undefined) spec.default = readStep(given['default'], 'router.default');
  return spec;
}

function readRoute(value: unknown, where: string): Route {
  const given = objectAt(value, where);
  refuseStray(given, ['when', 'then'], where);
  const when = objectAt(given['when'], `${where}.when`);
  refuseStray(when, conditionKeys, `${where}.when`);
  if (Object.keys(when).every((key) => key === 'value')) throw refuse(`${where}.when`, `needs one of ${conditionKeys.slice(1).join(', ')}`);
  return { when: when as Condition, then: readStep(given['then'], `${where}.then`) };
}

function objectAt(value: unknown, where: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw refuse(where, 'must be an object');
}

function listAt(value: unknown, where: string): unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  throw refuse(where, 'must be a list');
}

/** A name has no dot, or no template could speak of it. */
function nameAt(value: unknown, where: string): string {
  if (typeof value === 'string' && /^[A-Za-z_][\w-]*$/.test(value)) return value;
  throw refuse(where, 'must be a name of letters, digits, _ and -');
}

function refuseStray(given: object, known: readonly string[], where: string): void {
  const stray = Object.keys(given).find((key) => !known.includes(key));
  if (stray !== undefined) throw refuse(where, `does not know ${JSON.stringify(stray)}${didYouMean(stray, known)}; it knows ${known.join(', ')}`);
}

function refuse(where: string, what: string): ToolFailure {
  return new ToolFailure('invalid_arguments', `${where} ${what}.`);
}
