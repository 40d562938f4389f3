// One process with little memory, in which tools return what no program can carry. Prints {name, success, code, contentChars, dataChars} a line.
import { ToolFailure, ToolRegistry, createDispatcher, createRedactor, tool } from '../../../dist/index.js';

const mega = 1_000_000;
const values = {
  numbers: () => Array.from({ length: 20 * mega }).fill(1),
  objects: () => Array.from({ length: mega }, (_, index) => ({ index })),
  text: () => 'x'.repeat(400 * mega),
  text_inside: () => ({ text: 'x'.repeat(400 * mega) }),
  same_text_often: () => {
    const text = 'x'.repeat(mega);
    return Array.from({ length: 2000 }, () => text);
  },
  sparse: () => Object.assign([], { length: 2 ** 32 - 1 }),
  sparse_inside: () => ({ rows: [Object.assign([], { length: 2 ** 32 - 1 })] }),
  laughs: () => {
    let value = ['ha'];
    for (let level = 0; level < 40; level += 1) value = [value, value, value];
    return value;
  },
  map: () => new Map(Array.from({ length: mega }, (_, index) => [index, index])),
  endless_set: () => {
    class Endless extends Set {
      *[Symbol.iterator]() {
        for (;;) yield 1;
      }
    }
    return new Endless();
  },
  floats: () => new Float64Array(20 * mega),
  bytes: () => new Uint8Array(200 * mega),
  image: () => ({ type: 'image', mediaType: 'image/png', data: new Uint8Array(200 * mega) }),
  parts: () => Array.from({ length: 300 }, () => ({ type: 'text', text: 'x'.repeat(mega) })),
  digits: () => ({ number: 1n << 900_000_000n }),
  boxed_text: () => ({ text: new String('x'.repeat(200 * mega)) }),
  long_key: () => ({ ['k'.repeat(50 * mega)]: 1 }),
  failure: () => {
    throw new ToolFailure('not_found', 'm'.repeat(100 * mega), { data: Array.from({ length: 5 * mega }).fill(1) });
  },
  deep: () => {
    let value = {};
    for (let level = 0; level < mega; level += 1) value = { value };
    return value;
  },
};

const registry = new ToolRegistry();
for (const [name, make] of Object.entries(values)) registry.register(tool({ name, description: name, scopes: ['read'] }, make), 'test');
const dispatcher = createDispatcher({ registry, redactor: createRedactor(['a-secret-of-the-test']) });
const context = { sessionId: 's', signal: new AbortController().signal, services: { get: () => undefined, create: (target) => new target() } };
for (const name of Object.keys(values)) {
  const { success, code, content, data } = await dispatcher.dispatch({ id: 'c', name, arguments: '{}' }, context);
  process.stdout.write(`${JSON.stringify({ name, success, code, contentChars: content.length, dataChars: JSON.stringify(data).length })}\n`);
}
