// The requests of a recording in neutral form: what the recording client said, besides the model's own answers.
import type { AssistantPart, Message } from '../../packages/agent/dist/index.js';
import type { ContentPart, ToolDefinition } from '../../packages/core/dist/index.js';
import type { Api } from './replay.js';

type Body = Record<string, unknown>;

export interface RecordedRequest {
  system?: string;
  messages: Message[];
  tools: ToolDefinition[];
  toolChoice: 'auto' | 'required';
}

export function neutralRequest(api: Api, body: Body): RecordedRequest {
  const messages = grouped(api === 'responses' ? responsesItems(body) : wireMessages(body).flatMap(api === 'chat' ? chatItem : anthropicItems));
  const systems = wireMessages(body).filter((message) => message.role === 'system').map((message) => textOf(message.content));
  const system = [body.system, body.instructions, ...systems].map((value) => (typeof value === 'string' ? value : textOf(value))).filter((text) => text !== '').join('\n');
  const toolChoice = body.tool_choice === 'required' ? 'required' : 'auto';
  return { ...(system === '' ? {} : { system }), messages, tools: list(body.tools).map(toolOf), toolChoice };
}

/** Items in a row that the assistant said are one message. */
function grouped(items: Message[]): Message[] {
  const out: Message[] = [];
  for (const item of items) {
    const last = out.at(-1);
    if (item.role === 'assistant' && last?.role === 'assistant') last.parts.push(...item.parts);
    else out.push(item);
  }
  return out;
}

const list = (value: unknown): Body[] => (Array.isArray(value) ? (value as Body[]) : []);
const wireMessages = (body: Body): Body[] => list(body.messages);

function toolOf(tool: Body): ToolDefinition {
  const shape = (tool.function ?? tool) as Body;
  const parameters = shape.parameters ?? shape.input_schema ?? { type: 'object', properties: {} };
  return { name: shape.name ?? shape.type, description: shape.description ?? '', parameters } as unknown as ToolDefinition;
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return list(content).map((part) => (typeof part.text === 'string' ? part.text : '')).join('');
}

function contentOf(content: unknown): ContentPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return list(content).flatMap((part): ContentPart[] => {
    if (/image/.test(String(part.type))) return [{ type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' }];
    return typeof part.text === 'string' ? [{ type: 'text', text: part.text }] : [];
  });
}

const call = (id: unknown, name: unknown, text: unknown): AssistantPart => ({ type: 'tool_call', id: String(id), providerId: String(id), name: String(name), arguments: typeof text === 'string' ? text : JSON.stringify(text) });
const assistant = (parts: AssistantPart[]): Message => ({ role: 'assistant', parts });
const result = (id: unknown, content: unknown): Message => ({ role: 'tool', callId: String(id), tool: 'recorded', status: 'success', content: contentOf(content) });
const said = (text: string): AssistantPart[] => (text === '' ? [] : [{ type: 'text', text }]);

function chatItem(message: Body): Message[] {
  if (message.role === 'tool') return [result(message.tool_call_id, message.content)];
  if (message.role === 'user') return [{ role: 'user', content: contentOf(message.content) }];
  if (message.role !== 'assistant') return [];
  const calls = list(message.tool_calls).map(({ id, function: made }) => call(id, (made as Body).name, (made as Body).arguments));
  return [assistant([...said(textOf(message.content)), ...calls])];
}

function anthropicItems(message: Body): Message[] {
  const blocks = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : list(message.content);
  if (message.role === 'assistant') {
    return [assistant(blocks.flatMap((block: Body) => (block.type === 'tool_use' ? [call(block.id, block.name, block.input)] : block.type === 'text' ? said(String(block.text).trim()) : [])))];
  }
  const results = blocks.filter((block) => block.type === 'tool_result').map((block: Body) => result(block.tool_use_id, block.content));
  const words = contentOf(blocks);
  return words.length > 0 ? [...results, { role: 'user', content: words }] : results;
}

function responsesItems(body: Body): Message[] {
  if (typeof body.input === 'string') return [{ role: 'user', content: contentOf(body.input) }];
  return list(body.input).flatMap((item): Message[] => {
    if (item.type === 'function_call') return [assistant([call(item.call_id, item.name, item.arguments)])];
    if (String(item.type).endsWith('_call_output')) return [result(item.call_id, item.output)];
    if (item.type === 'reasoning' || item.role === 'assistant') return [assistant(said(textOf(item.content)))];
    return item.role === 'user' ? [{ role: 'user', content: contentOf(item.content) }] : [];
  });
}
