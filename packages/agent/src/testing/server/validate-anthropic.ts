/** The rules by which Anthropic Messages refuses a request with 400. Returns the first fault, or undefined. */
import { type JsonRecord, list, record } from './wire.js';

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const ID = /^[a-zA-Z0-9_-]+$/;

export function messagesApiFault(body: JsonRecord): string | undefined {
  if (!(Number(body.max_tokens) > 0)) return 'max_tokens: Field required';
  const messages = list(body.messages);
  if (messages.length === 0) return 'messages: at least one message is required';
  if (messages[0]?.role !== 'user') return 'messages: first message must use the "user" role';
  return toolsFault(body) ?? breakpointsFault(body) ?? historyFault(messages);
}

function historyFault(messages: JsonRecord[]): string | undefined {
  const used = new Set<string>();
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    const blocks = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : list(message.content);
    const last = index === messages.length - 1;
    const fault = blocksFault(blocks, index, last && message.role === 'assistant') ?? resultsFault(blocks, open, index);
    if (fault !== undefined) return fault;
    open = blocks.filter((block) => block.type === 'tool_use').map((block) => String(record(block).id));
    for (const id of open) {
      if (used.has(id)) return `messages.${index}: \`tool_use\` ids must be unique: ${id}`;
      used.add(id);
    }
  }
  return open.length > 0 ? `messages: \`tool_use\` ids were found without \`tool_result\` blocks: ${open.join(', ')}` : undefined;
}

function resultsFault(blocks: JsonRecord[], open: string[], index: number): string | undefined {
  const results = blocks.filter((block) => block.type === 'tool_result');
  const ids = results.map((block) => String(block.tool_use_id));
  const missing = open.filter((id) => !ids.includes(id));
  if (missing.length > 0) return `messages.${index - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}`;
  const stray = ids.find((id) => !open.includes(id));
  if (stray !== undefined) return `messages.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray}`;
  if (new Set(ids).size !== ids.length) return `messages.${index}: each tool_use must have a single result`;
  if (blocks.slice(0, results.length).some((block) => block.type !== 'tool_result')) return `messages.${index}: \`tool_result\` blocks must come first`;
  return undefined;
}

function blocksFault(blocks: JsonRecord[], index: number, final: boolean): string | undefined {
  if (blocks.length === 0) return `messages.${index}: all messages must have non-empty content`;
  for (const block of blocks) {
    if (block.type === 'text' && (typeof block.text !== 'string' || block.text.trim() === '')) return `messages.${index}: text content blocks must contain non-whitespace text`;
    if (block.type === 'thinking' && (typeof block.signature !== 'string' || block.signature === '')) return `messages.${index}: thinking.signature: Field required`;
    if (block.type === 'tool_use' && (!ID.test(String(block.id)) || !NAME.test(String(block.name)))) return `messages.${index}: tool_use.id or name: String should match pattern '^[a-zA-Z0-9_-]+$'`;
    if (block.type === 'tool_use' && (typeof block.input !== 'object' || block.input === null || Array.isArray(block.input))) return `messages.${index}: tool_use.input: Input should be a valid dictionary`;
    if (block.type === 'tool_result' && Array.isArray(block.content) && blocksFault(list(block.content), index, false) !== undefined) return `messages.${index}: tool_result.content: content must be non-empty`;
  }
  const end = blocks.at(-1);
  if (final && end?.type === 'text' && typeof end.text === 'string' && /\s$/.test(end.text)) return 'messages: final assistant content cannot end with trailing whitespace';
  return undefined;
}

function toolsFault(body: JsonRecord): string | undefined {
  const seen = new Set<string>();
  for (const tool of list(body.tools)) {
    if (tool.type !== undefined && tool.type !== 'custom') continue;
    const name = String(tool.name);
    if (!NAME.test(name)) return `tools: name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$' (${name})`;
    if (seen.has(name)) return `tools: Tool names must be unique (${name})`;
    seen.add(name);
    if (record(tool.input_schema).type !== 'object') return `tools.${name}: input_schema.type: Input should be 'object'`;
  }
  return undefined;
}

function breakpointsFault(body: JsonRecord): string | undefined {
  const marks = JSON.stringify(body).split('"cache_control":{').length - 1;
  return marks > 4 ? `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.` : undefined;
}
