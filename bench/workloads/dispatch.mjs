// One call from a model to its result message: JSON text and name → parse, check four fields, run, message.
import assert from 'node:assert/strict';

export const toolName = 'search_files';
export const description = 'Search text files with a regular expression.';
export const valid = JSON.stringify({ pattern: 'TODO', dir: 'src', limit: 20, mode: 'regex' });
export const invalid = JSON.stringify({ pattern: '', dir: 'src', limit: 'many', mode: 'regex' });
export const nested = JSON.stringify({ items: Array.from({ length: 50 }, (_, index) => ({ id: `item-${index}`, quantity: index + 1, price: index * 1.5, active: index % 2 === 0 })) });

/** What every contestant's tool does with its checked arguments. */
export function act({ pattern, dir, limit, mode }) {
  return { found: pattern.length + dir.length + limit, mode };
}

export function actNested({ items }) {
  let total = 0;
  for (const item of items) total += item.quantity;
  return { total };
}

export function checkValid(message, name) {
  assert.match(text(message), /"?found"?\W+27\b/, `${name}: ${text(message)}`);
}

export function checkInvalid(message, name) {
  const said = text(message);
  assert.ok(said.length > 0 && !/"found"/.test(said), `${name}: ${said}`);
  if (name === 'haft') assert.ok(message.content.length <= 150 && /pattern/.test(said) && /limit/.test(said), `haft says ${said}`);
}

export function checkNested(message, name) {
  assert.match(text(message), /1275/, `${name}: ${text(message)}`);
}

function text(message) {
  return typeof message === 'string' ? message : JSON.stringify(message);
}
