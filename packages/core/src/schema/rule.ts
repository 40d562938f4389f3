/** A recorded class-validator decorator as something to run, with class-validator's own wording. */
import type { Class } from '../tool/tool.js';
import { implementationOf, type RecordedRule, type RuleArguments } from './class-validator-metadata.js';
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
  const hint = hintFrom(message, node);
  return [{
    name: recorded.name ?? implementation.name,
    each: recorded.each,
    ...(hint !== undefined && { hint }),
    validate: (value, owner) => implementation.instance.validate(value, values(value, owner)),
    message,
    ...(recorded.validateIf && { appliesTo: recorded.validateIf }),
  }];
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
