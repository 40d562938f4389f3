// Hand-written code that does the same work and nothing else: what there is to gain.
import { act, actNested } from '../workloads/dispatch.mjs';

const tools = new Map([['search_files', search], ['sum_items', sum]]);
const modes = new Set(['regex', 'literal']);

/** @returns the result message, or the error message, as JSON-ready text */
export async function dispatch(name, json) {
  const tool = tools.get(name);
  if (!tool) return message(name, `unknown tool ${name}`);
  let input;
  try {
    input = JSON.parse(json);
  } catch (error) {
    return message(name, `not JSON: ${error.message}`);
  }
  return message(name, tool(input));
}

function message(name, content) {
  return { role: 'tool', tool_call_id: 'c1', name, content };
}

function search(input) {
  const issues = [];
  if (typeof input.pattern !== 'string' || input.pattern.length < 1) issues.push('pattern must be a string of at least 1 character');
  if (typeof input.dir !== 'string') issues.push('dir must be a string');
  if (!Number.isInteger(input.limit) || input.limit < 1 || input.limit > 500) issues.push('limit must be an integer from 1 to 500');
  if (!modes.has(input.mode)) issues.push('mode must be regex or literal');
  if (issues.length > 0) return issues.join('; ');
  return JSON.stringify(act({ pattern: input.pattern, dir: input.dir, limit: input.limit, mode: input.mode }));
}

function sum(input) {
  if (!Array.isArray(input.items)) return 'items must be an array';
  const items = Array.from({ length: input.items.length });
  for (let index = 0; index < items.length; index += 1) {
    const item = input.items[index];
    if (typeof item?.id !== 'string' || !Number.isInteger(item.quantity) || item.quantity < 1 || typeof item.price !== 'number' || typeof item.active !== 'boolean') return `items.${index} is wrong`;
    items[index] = { id: item.id, quantity: item.quantity, price: item.price, active: item.active };
  }
  return JSON.stringify(actNested({ items }));
}
