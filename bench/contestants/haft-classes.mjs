// Tool classes of Haft, with the decorators applied by hand, since this file is not compiled. It loads core and class-validator alone.
import { createRequire } from 'node:module';
import { Param, Tool, definitionsOf, toOpenAI } from '../../packages/core/dist/index.js';

/** class-validator's decorators, from the copy that core finds. */
export const rules = createRequire(new URL('../../packages/core/package.json', import.meta.url))('class-validator');
const { IsBoolean, IsIn, IsInt, IsNumber, IsString, Max, MaxLength, Min, MinLength } = rules;

/** Tools of six parameters for the start-up and schema workloads: the list that OpenAI is sent. */
export function haftTools(names) {
  const definitions = names.flatMap((name) => definitionsOf(sixParameters(name)));
  return { list: () => definitions.map((definition) => toOpenAI(definition)) };
}

function sixParameters(name) {
  class Sample {
    execute() {
      return '';
    }
  }
  return toolClass(Sample, name, { name, scopes: ['read'] }, {
    alpha: [Param('A text'), IsString(), MinLength(1)],
    beta: [Param('Another text'), IsString(), MaxLength(100)],
    gamma: [Param('A whole number'), IsInt(), Min(1), Max(500)],
    delta: [Param('A number'), IsNumber()],
    epsilon: [Param('A switch'), IsBoolean()],
    zeta: [Param('A choice'), IsIn(['one', 'two', 'three'])],
  });
}

export function toolClass(target, text, options, fields) {
  parameters(target, fields);
  Tool(text, options)(target);
  return target;
}

export function parameters(target, fields) {
  for (const [field, decorators] of Object.entries(fields)) for (const decorator of decorators) decorator(target.prototype, field);
}
