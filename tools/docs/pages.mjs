// The pages of docs/ that are made from the code, so that they cannot say something else.
import * as classValidator from 'class-validator';
import { errorCodes } from '../../packages/core/dist/errors.js';
import { constraintTable } from '../../packages/core/dist/schema/constraint-keywords.js';

/** @type {Record<string, () => string>} file under docs/ → its text */
export const pages = {
  'errors.md': errorsPage,
  'constraints.md': constraintsPage,
};

function errorsPage() {
  const rows = Object.entries(errorCodes).map(
    ([code, { when, remedy, retryable }]) => `| \`${code}\` | ${when} | ${remedy} | ${retryable ? 'yes' : 'no'} |`,
  );
  return [
    '# Codes of a result',
    '',
    'A call that did not succeed has a `code`. Plugins may add codes of their own in the same style. This page is made from',
    '`packages/core/src/errors.ts` by `npm run docs`; a test holds the two equal.',
    '',
    '| code | when | what to do | can succeed unchanged |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

function constraintsPage() {
  const where = { string: 'text', number: 'numbers', array: 'arrays and sets', object: 'records and free objects', value: 'text, numbers, booleans, enums', any: 'any field' };
  const rows = Object.entries(constraintTable).map(([name, { on, says, alsoRule }]) =>
    says === undefined ? `| \`@${decoratorOf(name)}\` | any field |  | yes |` : `| \`@${decoratorOf(name)}\` | ${where[on]} | ${says.replace(/pattern (\S+)/, 'pattern `$1`').replaceAll('|', '\\|')} | ${alsoRule ? 'too' : ''} |`);
  return `${constraintsText}\n${rows.join('\n')}\n`;
}

/** The decorator of a rule, by class-validator's own exports. */
function decoratorOf(name) {
  if (name === 'isLength') return 'Length';
  const decorators = Object.keys(classValidator).filter((key) => /^[A-Z][a-zA-Z0-9]*[a-z]/.test(key) || /^Is[A-Z0-9]+$/.test(key));
  const found = decorators.find((key) => key.toLowerCase() === name.toLowerCase());
  if (found === undefined) throw new Error(`class-validator has no decorator for the rule ${name}`);
  return found;
}

const constraintsText = `# Constraints: what the schema says, and what runs

A rule on an argument is written once, as a class-validator decorator. What JSON Schema 2020-12 can say stands in the schema that the model sees, and is checked
by the parser, in one pass with everything else (code \`invalid_arguments\`). What it cannot say runs afterwards, on the built values, with class-validator's own
code and message (code \`rule_violated\`); its message also stands in the field's description, so that the model hears of it first. This page is made from
\`packages/core/src/schema/constraint-keywords.ts\` by \`npm run docs\`; a test holds the two equal.

- A decorator on a field of another type than the table says (\`@Min\` on a Date) runs as a rule. One that contradicts the type (\`@IsString\` on a number) is a SetupError.
- \`{ each: true }\` puts the constraint on the elements of an array, set, map or record. Decorators with \`validateIf\` run as rules.
- \`@IsOptional\`: not required. \`@ValidateIf\`: not required; where the condition holds, the field's rules run and it must be there. \`@ValidateNested\`: implied by the type.
- \`@Validate\`, \`registerDecorator\` and every decorator that is not in the table run as rules.
- A child class keeps its parent's decorators; one that it states again replaces the parent's of that name.
- class-transformer: \`@Type\` (also with a discriminator) says the type; \`@Transform\` runs on what came in, before it is checked.
- A pattern (\`@Matches\`, keys of a record) runs on the model's text, so it may not hang: one that could is run by a matcher that takes linear time. What only backtracking can do
  (lookaround, back references) is taken for texts of up to 256 characters, and refused at registration where it could take exponential time.
- Lengths count characters (code points), as JSON Schema does. Formats are those of ajv-formats, up to 8,192 characters.

## What is coerced

Only what loses nothing; anything else is refused with field, rule and received value.

| declared | also taken |
| --- | --- |
| number, integer | the text that JavaScript writes for it: \`"20"\`, \`"-1.5"\`; not \`""\`, \`"020"\`, \`"1.0"\`, \`true\` |
| boolean | \`"true"\`, \`"false"\` |
| enum of numbers | the text of one of its values; never a key name |
| array, object | JSON text that holds one |
| bigint (text of digits) | a whole number that JavaScript holds exactly |
| Date (date and time with zone) | a day, \`2026-01-31\`, as its midnight in UTC |
| an optional field | \`null\` is "not given", unless the field allows null |

## The decorators

| decorator | on | in the schema | runs as a rule |
| --- | --- | --- | --- |`;
