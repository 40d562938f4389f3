/** The rules by which OpenAI refuses a request with 400, as far as a client can break them. Each returns the first fault, or undefined. */
import { type JsonRecord, list, record } from './wire.js';

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export function chatFault(body: JsonRecord): string | undefined {
  const messages = list(body.messages);
  if (messages.length === 0) return 'Invalid \'messages\': empty array.';
  return toolsFault(list(body.tools).map((tool) => record(tool.function))) ?? messagesFault(messages);
}

function messagesFault(messages: JsonRecord[]): string | undefined {
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const at = `messages[${index}]`;
    if (message.role === 'tool') {
      if (!open.delete(String(message.tool_call_id))) return `Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls' (${at}).`;
      if (typeof message.content !== 'string' || message.content === '') return `Invalid '${at}.content': a non-empty string is expected.`;
      continue;
    }
    if (open.size > 0) return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. Missing: ${[...open].join(', ')}`;
    const calls = list(message.tool_calls);
    open = new Set(calls.map((call) => String(call.id)));
    const fault = message.role === 'assistant' ? assistantFault(message, calls, open, at) : contentFault(message, at);
    if (fault !== undefined) return fault;
  }
  return open.size > 0 ? `An assistant message with 'tool_calls' must be followed by tool messages. Missing: ${[...open].join(', ')}` : undefined;
}

function assistantFault(message: JsonRecord, calls: JsonRecord[], ids: Set<string>, at: string): string | undefined {
  if (Array.isArray(message.tool_calls) && calls.length === 0) return `Invalid '${at}.tool_calls': empty array.`;
  if (calls.length === 0 && (message.content === null || message.content === undefined)) return `Invalid '${at}': content or tool_calls expected.`;
  if (ids.size !== calls.length) return `Duplicate tool call id in ${at}.`;
  for (const call of calls) {
    const { name, arguments: text } = record(call.function);
    if (typeof call.id !== 'string' || call.id === '' || call.id.length > 40) return `Invalid '${at}.tool_calls.id'.`;
    if (call.type !== 'function') return `Missing required parameter: '${at}.tool_calls.type'.`;
    if (typeof name !== 'string' || !NAME.test(name)) return `Invalid '${at}.tool_calls.function.name': string does not match pattern.`;
    if (typeof text !== 'string') return `Invalid type for '${at}.tool_calls.function.arguments': expected a string.`;
  }
  return undefined;
}

function contentFault(message: JsonRecord, at: string): string | undefined {
  if (!['system', 'developer', 'user'].includes(String(message.role))) return `Invalid value: '${String(message.role)}' (${at}.role).`;
  if (typeof message.content === 'string') return undefined;
  const parts = list(message.content);
  if (parts.length === 0) return `Invalid '${at}.content': empty.`;
  const bad = parts.find((part) => !['text', 'image_url'].includes(String(part.type)));
  return bad === undefined ? undefined : `Invalid value: '${String(bad.type)}' (${at}.content).`;
}

export function responsesFault(body: JsonRecord): string | undefined {
  const fault = toolsFault(list(body.tools));
  if (fault !== undefined || typeof body.input === 'string') return fault;
  const items = list(body.input);
  if (items.length === 0) return 'One of "input" or "previous_response_id" or \'prompt\' must be provided.';
  const ids = items.filter((item) => /^(function|custom_tool)_call$/.test(String(item.type))).map((item) => String(item.call_id));
  const calls = new Set(ids);
  const outputs = new Set(items.filter((item) => String(item.type).endsWith('_call_output')).map((item) => String(item.call_id)));
  if (calls.size !== ids.length) return 'Duplicate item found with call_id.';
  for (const id of calls) if (!outputs.has(id)) return `No tool output found for function call ${id}.`;
  for (const id of outputs) if (!calls.has(id)) return `No tool call found for function call output with call_id ${id}.`;
  for (const [index, item] of items.entries()) {
    if (item.type === 'reasoning' && (items[index + 1] === undefined || items[index + 1]?.role === 'user')) return `Item '${String(item.id)}' of type 'reasoning' was provided without its required following item.`;
    if (item.type === 'function_call' && !NAME.test(String(item.name))) return `Invalid 'input[${index}].name': string does not match pattern.`;
  }
  return undefined;
}

function toolsFault(tools: JsonRecord[]): string | undefined {
  const seen = new Set<string>();
  for (const { name, parameters, type } of tools) {
    if (type === 'custom') continue;
    if (typeof name !== 'string' || !NAME.test(name)) return `Invalid tool name '${String(name)}': string does not match pattern '^[a-zA-Z0-9_-]+$'.`;
    if (seen.has(name)) return `Duplicate tool name '${name}'.`;
    seen.add(name);
    if (parameters !== undefined && record(parameters).type !== 'object') return `Invalid schema for function '${name}': schema must be of type "object".`;
  }
  return undefined;
}
