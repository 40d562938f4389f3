// The pages of docs/ that are made from the code, so that they cannot say something else.
import { commandLinePage } from './command-line.mjs';
import * as classValidator from 'class-validator';
import { errorCodes } from '../../packages/core/dist/index.js';
import { readFileSync } from 'node:fs';
import { profiles } from '../../packages/openai/build/profiles.js';
import { constraintTable } from '../../packages/core/build/schema/constraint-keywords.js';
import { performancePage } from './performance-page.mjs';

/** @type {Record<string, () => string>} file under docs/ → its text */
export const pages = {
  'performance.md': performancePage,
  'errors.md': errorsPage,
  'constraints.md': constraintsPage,
  'models.md': modelsPage,
  'command-line.md': commandLinePage,
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

function modelsPage() {
  const rows = Object.values(profiles).map(({ name, baseURL = '(give `baseURL`)', keys, echoReasoning, opaqueFields }) => {
    const back = [...(echoReasoning ? [`\`${echoReasoning.field}\``] : []), ...(opaqueFields ? ['opaque fields'] : [])].join(', ');
    return `| \`${name}\` | ${baseURL} | ${keys.length === 0 ? 'none' : keys.map((key) => `\`${key}\``).join(', ')} | ${back} |`;
  });
  return modelsText.replace('PROFILES', rows.join('\n')).replace('EXAMPLE', exampleOf('examples/frozen-conversation/weather.test.ts'));
}

function exampleOf(file) {
  return `\`\`\`ts file=${file}\n${readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')}\`\`\``;
}

const modelsText = `# Models

A model is chosen as \`provider:model\`, by config, flag or environment:

\`\`\`sh
npm start -- --model offline "read package.json lines 1-3"
haft -m anthropic:claude-sonnet-4-5 "…"        # ANTHROPIC_API_KEY
haft -m deepseek:deepseek-chat "…"             # any name of the table below
\`\`\`

In a program it is a value: \`anthropic({ model })\` of \`@haft/anthropic\`, \`openai({ model, profile?, baseURL?, api? })\` of \`@haft/openai\`, \`offline()\` of \`@haft/offline\`. They sit on the
official SDKs, which are loaded at the first request, with the SDKs' own retries off: the agent loop is the one that tries again.

## Servers that speak OpenAI's format

With the address of a server (\`BASE_URL\`, \`baseURL\`), a name without a provider of this table goes there whole, so that \`llama3:8b\` and \`mistral:7b\` keep their tags;
\`deepseek:deepseek-chat\` is the profile \`deepseek\` at that address, and \`compatible:NAME\` says that nothing is known of the server.

They differ only in data: this table is made from \`packages/openai/src/profiles.ts\` by \`npm run docs\`, and a test holds the two equal. A server that is not here works with
\`baseURL\` alone, or with a profile object of your own. \`api: 'responses'\` uses OpenAI's Responses in place of Chat Completions.

| profile | base URL | key in the environment | goes back to the model |
| --- | --- | --- | --- |
PROFILES

What such servers do with indexes, ids, names and \`finish_reason\` of tool calls makes no difference: all lead to the same calls. An endpoint that speaks Anthropic's format is reached by
\`anthropic({ model, baseURL, provider: 'its-name', cache: false })\`.

## What is kept, and what goes over the wire

The history is neutral, so a conversation can go on with another model at any point. Only what a provider must get back untouched is kept as it came (signatures of thinking, encrypted
reasoning, blocks of its own tools), and it goes back to that provider alone. Each request passes a pairing check: a call without a result gets one that says "interrupted", results stand
right after their calls, ids are legal and unique. For Anthropic the breakpoints of the prompt cache are set after the system text, after the tools, and after the two newest messages.

Nothing of an answer is run before its end has been seen. An answer that breaks off is discarded whole and asked for again; one that was cut at the token limit runs none of its calls.

## What can go wrong

| code | what happened | tried again |
| --- | --- | --- |
| \`no_credentials\`, \`invalid_credentials\` | no key, or one that is not accepted | no |
| \`model_not_found\` | no such model, or a wrong path in the base URL; the nearest known name is suggested | no |
| \`invalid_request\`, \`too_large\` | the provider refuses the request, or an answer is larger than an answer can be | no |
| \`context_too_long\` | the conversation does not fit | once, after it was compacted |
| \`rate_limited\` | too many requests; \`Retry-After\` and reset headers are waited for, up to a minute | yes |
| \`quota_exceeded\` | the account's quota or balance is used up | no |
| \`overloaded\`, \`server_error\`, \`timeout\`, \`network\` | as they say; a silent stream counts as a time-out | yes |
| \`protocol\` | the answer is not what the format says | once; not if it is no answer at all |
| \`cancelled\` | you stopped it | no |

## Testing without a model

\`@haft/agent/testing\` has \`scriptedModel(turns)\`, a model in the process; \`startModelServer(turns)\`, a server on loopback that speaks Chat Completions, Responses and Messages, is as strict as
the real ones, and can fail in every way (\`fault\`); and recordings of real conversations. To make one, point the adapter at a recorder once, with your key:

\`\`\`ts
const recorder = await startRecorder({ target: 'https://api.openai.com/v1', secrets: [/* values that must not be kept */] });
await askWeather('Is it colder in Oslo or in Rome?', recorder.url);
await recorder.save('weather.json');
await recorder.close();
\`\`\`

The keys that were sent, the values you name and what looks like a key are taken out, also where a stream splits them; read the file before you commit it. Then the test needs neither key nor
network, and says when the conversation is no longer the recorded one:

EXAMPLE
`;
