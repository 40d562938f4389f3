// One process of one contestant, libraries loaded before anything is counted: 100 tools of 6 parameters are made, the lists for OpenAI and Anthropic
// are asked for, then asked for again, then each tool's arguments are checked for the first time. CPU time of the whole process, background compilers
// included. Prints {validatorMs, coldMs, warmMs, firstUseMs, bytes}. Usage: node cold-tools.mjs CONTESTANT
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const count = 100;
const names = Array.from({ length: count }, (_, index) => `tool_${index}`);
const sample = { alpha: 'a', beta: 'b', gamma: 20, delta: 1.5, epsilon: true, zeta: 'two' };
const texts = { alpha: 'A text', beta: 'Another text', gamma: 'A whole number', delta: 'A number', epsilon: 'A switch', zeta: 'A choice' };

const zodShape = (z) => ({
  alpha: z.string().min(1).describe(texts.alpha),
  beta: z.string().max(100).describe(texts.beta),
  gamma: z.number().int().min(1).max(500).describe(texts.gamma),
  delta: z.number().describe(texts.delta),
  epsilon: z.boolean().describe(texts.epsilon),
  zeta: z.enum(['one', 'two', 'three']).describe(texts.zeta),
});
const schema = () => ({
  type: 'object',
  properties: {
    alpha: { type: 'string', minLength: 1, description: texts.alpha },
    beta: { type: 'string', maxLength: 100, description: texts.beta },
    gamma: { type: 'integer', minimum: 1, maximum: 500, description: texts.gamma },
    delta: { type: 'number', description: texts.delta },
    epsilon: { type: 'boolean', description: texts.epsilon },
    zeta: { type: 'string', enum: ['one', 'two', 'three'], description: texts.zeta },
  },
  required: Object.keys(texts),
  additionalProperties: false,
});
const forOpenAI = (name, parameters) => ({ type: 'function', function: { name, description: name, parameters } });
const forAnthropic = (name, parameters) => ({ name, description: name, input_schema: parameters });
const bothLists = (schemaOf) => [names.map((name, index) => forOpenAI(name, schemaOf(index))), names.map((name, index) => forAnthropic(name, schemaOf(index)))];

/** class-validator's own decorators of the six fields, made anew for each class as the compiler's output does. */
const ruled = ({ IsString, MinLength, MaxLength, IsInt, Min, Max, IsNumber, IsBoolean, IsIn }, target) => {
  decorate(target, { alpha: [IsString(), MinLength(1)], beta: [IsString(), MaxLength(100)], gamma: [IsInt(), Min(1), Max(500)], delta: [IsNumber()], epsilon: [IsBoolean()], zeta: [IsIn(['one', 'two', 'three'])] });
  return target;
};

function decorate(target, rules) {
  for (const [field, decorators] of Object.entries(rules)) for (const decorator of decorators) decorator(target.prototype, field);
}

/** contestant → async () => ({ rules?, make, lists, use }): `rules` applies another library's decorators, `use(index)` checks one call and returns whether it is right */
const contestants = {
  async floor() {
    let checks;
    const make = () => {
      checks = names.map(() => {
        const modes = new Set(['one', 'two', 'three']);
        return (input) => typeof input.alpha === 'string' && input.alpha.length >= 1 && typeof input.beta === 'string' && input.beta.length <= 100 && Number.isInteger(input.gamma) && input.gamma >= 1 && input.gamma <= 500
          && typeof input.delta === 'number' && typeof input.epsilon === 'boolean' && modes.has(input.zeta);
      });
    };
    return { make, lists: () => bothLists(schema), use: (index) => checks[index](sample) };
  },
  async haft() {
    const { Param, Tool, definitionsOf, toAnthropic, toOpenAI } = await import('../../packages/core/dist/index.js');
    const { rules: validator } = await import('../contestants/haft-classes.mjs');
    const classes = names.map(() => class Sample {
      execute() {
        return '';
      }
    });
    let definitions;
    return {
      rules: () => classes.forEach((target) => ruled(validator, target)),
      make() {
        classes.forEach((target, index) => {
          for (const field of Object.keys(texts)) Param(texts[field])(target.prototype, field);
          Tool(names[index], { name: names[index], scopes: ['read'] })(target);
        });
        definitions = classes.flatMap((target) => definitionsOf(target));
      },
      lists: () => [definitions.map((definition) => toOpenAI(definition)), definitions.map((definition) => toAnthropic(definition))],
      use: (index) => definitions[index].parse(sample).ok,
    };
  },
  async 'ai-sdk'() {
    const { z } = await import('zod');
    const { asSchema, tool } = await import('ai');
    let tools;
    return {
      make: () => (tools = names.map((name) => tool({ description: name, inputSchema: z.object(zodShape(z)), execute: async () => '' }))),
      async lists() {
        const schemas = async () => Promise.all(tools.map(({ inputSchema }) => asSchema(inputSchema).jsonSchema));
        const [openai, anthropic] = [await schemas(), await schemas()];
        return [names.map((name, index) => forOpenAI(name, openai[index])), names.map((name, index) => forAnthropic(name, anthropic[index]))];
      },
      use: async (index) => (await asSchema(tools[index].inputSchema).validate(sample)).success,
    };
  },
  async 'helpers of the SDKs'() {
    const { z } = await import('zod');
    await import('openai');
    await import('@anthropic-ai/sdk');
    const { zodFunction } = await import('openai/helpers/zod');
    const { betaZodTool } = await import('@anthropic-ai/sdk/helpers/beta/zod');
    let schemas;
    return {
      make: () => (schemas = names.map(() => z.object(zodShape(z)))),
      lists: () => [
        names.map((name, index) => zodFunction({ name, description: name, parameters: schemas[index] })),
        names.map((name, index) => betaZodTool({ name, description: name, inputSchema: schemas[index], run: async () => '' })),
      ],
      use: (index) => schemas[index].safeParse(sample).success,
    };
  },
  async langchain() {
    const { z } = await import('zod');
    const { tool } = await import('@langchain/core/tools');
    const { convertToOpenAITool } = await import('@langchain/core/utils/function_calling');
    const { toJsonSchema } = await import('@langchain/core/utils/json_schema');
    let tools;
    return {
      make: () => (tools = names.map((name) => tool(async () => '', { name, description: name, schema: z.object(zodShape(z)) }))),
      lists: () => [tools.map((made) => convertToOpenAITool(made)), tools.map((made) => forAnthropic(made.name, toJsonSchema(made.schema)))],
      use: (index) => tools[index].schema.safeParse(sample).success,
    };
  },
  async 'class-validator-jsonschema'() {
    await import('reflect-metadata');
    const { validationMetadatasToSchemas } = await import('class-validator-jsonschema');
    const validator = await import('class-validator');
    const { plainToInstance } = await import('class-transformer');
    let classes;
    return {
      make: () => (classes = names.map((name) => ruled(validator, Object.defineProperty(class {}, 'name', { value: name })))),
      lists() {
        const schemas = validationMetadatasToSchemas();
        return bothLists((index) => schemas[names[index]]);
      },
      use: (index) => validator.validateSync(plainToInstance(classes[index], sample)).length === 0,
    };
  },
  async ajv() {
    const { Ajv } = await import('ajv');
    let schemas;
    let validators;
    return {
      make() {
        const ajv = new Ajv();
        schemas = names.map(schema);
        validators = schemas.map((one) => {
          let validate;
          return (input) => (validate ??= ajv.compile(one))(input);
        });
      },
      lists: () => bothLists((index) => schemas[index]),
      use: (index) => validators[index](sample),
    };
  },
};

const load = contestants[process.argv[2]];
if (!load) throw new Error(`contestants: ${Object.keys(contestants).join(', ')}`);
const { rules, make, lists, use } = await load();

// What the imports left to collect is not charged to what follows.
setFlagsFromString('--expose-gc');
runInNewContext('gc')();
const validatorMs = await cpuOf(() => rules?.());
let first;
const coldMs = await cpuOf(async () => {
  make();
  first = await lists();
});
const warmMs = await cpuOf(lists);
const firstUseMs = await cpuOf(async () => {
  for (let index = 0; index < count; index += 1) {
    const right = use(index);
    if ((right instanceof Promise ? await right : right) !== true) throw new Error(`${names[index]} refused the sample`);
  }
});
for (const list of first) if (list.length !== count) throw new Error(`listed ${list.length} tools`);
process.stdout.write(`${JSON.stringify({ validatorMs, coldMs, withValidatorMs: validatorMs + coldMs, warmMs, firstUseMs, bytes: JSON.stringify(first).length })}\n`);

async function cpuOf(step) {
  const before = process.cpuUsage();
  await step();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
