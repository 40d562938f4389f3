// Argument text of a model: what is accepted, what is refused, and what is said about it.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ToolFailure } from '../errors.js';
import { parseArguments } from './parse-arguments.js';

const refusal = (text: string, maxChars?: number) => {
  try {
    return `accepted ${JSON.stringify(parseArguments(text, maxChars))}`;
  } catch (error) {
    expect(error).toBeInstanceOf(ToolFailure);
    expect((error as ToolFailure).code).toBe('invalid_arguments');
    return (error as ToolFailure).message;
  }
};

describe('what is accepted', () => {
  test.each([
    ['{"a":1}', { a: 1 }],
    ['  {"a" : "x:y\\"{"}\n', { a: 'x:y"{' }],
    ['', {}],
    [' \n', {}],
    ['```json\n{"a":1}\n```', { a: 1 }],
    ['```\n{"a":"```"}\n```\n', { a: '```' }],
    ['{"a":{"a":[{"a":1},{"a":2}]}}', { a: { a: [{ a: 1 }, { a: 2 }] } }],
  ])('%j', (text, expected) => {
    expect(parseArguments(text)).toEqual(expected);
  });
});

describe('what is refused', () => {
  test.each([
    ['null', /one JSON object, not null/],
    ['[{}]', /not an array/],
    ['12', /not a number/],
    ['{"a":1}{"a":2}', /exactly one object/],
    ['{"a":1} and so on', /exactly one object/],
    ['Here: ```json\n{}\n```', /not valid JSON/],
    ['```python\n{}\n```', /not valid JSON/],
    ["{a:'b'}", /not valid JSON/],
    ['{"a":1,"b":{"c":2},"a":3}', /"a" is given more than once/],
    ['{"x":[{"k\\u0061":1,"ka" : 2}]}', /"ka" is given more than once/],
    ['{"__proto__":{"admin":true}}', /"__proto__" is not allowed/],
    ['{"a":[{"\\u005f_proto__":1}]}', /"__proto__" is not allowed/],
    ['{"constructor":{"prototype":1}}', /"constructor" is not allowed/],
    [`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`, /deeper than 64/],
    [`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, /deeper than 64/],
  ])('%.60s', (text, message) => {
    expect(refusal(text)).toMatch(message);
  });

  test('a text over the size limit is not read at all', () => {
    expect(refusal('{"a":"0123456789"}', 10)).toMatch(/18 characters long; at most 10/);
  });
});

test('law: every JSON object without dangerous keys comes back equal, whatever its blanks', () => {
  const safe = fc.dictionary(fc.string().filter((key) => !['__proto__', 'constructor', 'prototype'].includes(key)), fc.jsonValue({ maxDepth: 4 }).filter((value) => !/__proto__|constructor|prototype/.test(JSON.stringify(value))));
  fc.assert(
    fc.property(safe, fc.constantFrom(0, 1, 2, '\t'), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(parseArguments(text)).toEqual(JSON.parse(text));
      expect(parseArguments(`\`\`\`json\n${text}\n\`\`\``)).toEqual(JSON.parse(text));
    }),
    { numRuns: 1000 },
  );
});

test('law: any text gives an object or a coded refusal, never another error and never a changed prototype', () => {
  const pieces = fc.array(fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '\\', '```', '\n', 'a', '1', '__proto__', ' ', 'null'), { maxLength: 30 });
  fc.assert(
    fc.property(fc.oneof(fc.string(), pieces.map((parts) => parts.join(''))), (text) => {
      const outcome = refusal(text);
      if (outcome.startsWith('accepted')) expect(Object.getPrototypeOf(parseArguments(text))).toBe(Object.prototype);
    }),
    { numRuns: 1000 },
  );
});

test('law: repeating a key anywhere is found and named', () => {
  fc.assert(
    fc.property(fc.string(), fc.jsonValue({ maxDepth: 2 }), fc.integer({ min: 0, max: 5 }), (key, value, depth) => {
      fc.pre(!['__proto__', 'constructor', 'prototype'].includes(key) && !/__proto__|constructor|prototype/.test(JSON.stringify(value)));
      const name = JSON.stringify(key);
      const inner = `{${name}:${JSON.stringify(value)},${name}:0}`;
      const text = `{"o":${'['.repeat(depth)}${inner}${']'.repeat(depth)}}`;
      expect(refusal(text)).toContain(`The key ${name} is given more than once`);
    }),
    { numRuns: 1000 },
  );
});
