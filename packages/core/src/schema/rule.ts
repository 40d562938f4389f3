/** A recorded class-validator decorator as something to run, with class-validator's own wording. */
import { SetupError } from '../errors.js';
import type { Class } from '../tool/tool.js';
import { implementationOf, type RecordedRule, type RuleArguments } from './class-validator-metadata.js';
import { constraintTable } from './constraint-keywords.js';
import { patternTest } from './pattern/pattern-test.js';
import { unicodePattern } from './pattern/unicode-pattern.js';
import type { Rule, TypeNode } from './type-node.js';

/** Empty where the library lost the code of the rule, which it does for a validator class without `@ValidatorConstraint`. */
export function ruleOf(recorded: RecordedRule, target: Class, node: TypeNode): Rule[] {
  const implementation = implementationOf(recorded);
  if (implementation === undefined) return [];
  const values = (value: unknown, owner: object): RuleArguments => ({
    targetName: target.name, property: recorded.propertyName, object: owner, value, constraints: recorded.constraints ?? [],
  });
  const message = (value: unknown, owner: object): string => {
    const given = values(value, owner);
    return fillTokens(recorded.message ?? implementation.instance.defaultMessage?.(given) ?? '', given);
  };
  const hint = constraintTable[recorded.name ?? '']?.hint?.(recorded.constraints ?? []) ?? hintFrom(message, node);
  const validate = recorded.name === 'matches' ? safeMatches(recorded, target) : undefined;
  return [{
    name: recorded.name ?? implementation.name,
    each: recorded.each,
    ...(hint !== undefined && { hint }),
    validate: validate ?? ((value, owner) => implementation.instance.validate(value, values(value, owner))),
    message,
    ...(recorded.validateIf && { appliesTo: recorded.validateIf }),
  }];
}

/** `@Matches` runs on a model's text, so it must not hang: not by class-validator, but by the engine that patterns of the schema use. */
function safeMatches({ constraints = [], propertyName }: RecordedRule, target: Class): (value: unknown) => boolean {
  const [expression, modifiers] = constraints;
  const written = expression instanceof RegExp ? expression.source : String(expression);
  const source = unicodePattern(written) ?? written;
  const flags = typeof modifiers === 'string' ? modifiers : expression instanceof RegExp ? expression.flags : '';
  try {
    const test = patternTest(source, flags);
    return (value) => typeof value === 'string' && test(value);
  } catch (error) {
    throw new SetupError(`${target.name}.${propertyName}: the pattern ${source} cannot be run safely on a model's text: ${error instanceof Error ? error.message : String(error)}. Write it without lookaround, back references and syntax that Unicode mode refuses, or check it in check().`, { cause: error });
  }
}

/** `$property`, `$value`, `$target` and `$constraint1` in a message, as class-validator fills them. */
function fillTokens(message: string | ((given: RuleArguments) => string), given: RuleArguments): string {
  const text = typeof message === 'function' ? message(given) : message;
  return text.replaceAll(/\$(property|value|target|constraint(\d+))/g, (token, name: string, position?: string) => {
    if (name === 'property') return given.property;
    if (name === 'target') return given.targetName;
    if (position !== undefined) return given.constraints.length < Number(position) ? token : String(given.constraints[Number(position) - 1]);
    return ['string', 'number', 'boolean'].includes(typeof given.value) ? String(given.value) : token;
  });
}

/** "limit must be …" becomes "Must be …" for the field's description, so that the model hears of the rule before it breaks it. */
function hintFrom(message: (value: unknown, owner: object) => string, node: TypeNode): string | undefined {
  // The keywords of these formats already say it.
  if ((node.keywords.formats ?? []).length > 0) return undefined;
  try {
    const said = /^(?:each value in )?\S+ ((?:must|should) [^\n]{1,160})$/.exec(message(undefined, {}))?.[1];
    return said === undefined || /\$(property|value|target|constraint\d)/.test(said) ? undefined : `${said[0]?.toUpperCase() ?? ''}${said.slice(1).replace(/\.$/, '')}.`;
  } catch {
    // A message that depends on the value cannot be a hint; the rule itself still runs.
    return undefined;
  }
}
