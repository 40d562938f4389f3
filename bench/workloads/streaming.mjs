// A streamed answer of 500 deltas over HTTP on loopback: what reading it costs, per delta, from the bytes to the text.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { anthropic } from '../../packages/anthropic/dist/index.js';
import { openai } from '../../packages/openai/dist/index.js';

const deltas = 500;
const messages = [{ role: 'user', content: 'go' }];
const neutral = [{ role: 'user', content: [{ type: 'text', text: 'go' }] }];

export async function openaiStreamWorkload() {
  const { default: OpenAI } = await import('openai');
  const server = await startServer();
  const client = new OpenAI({ apiKey: 'none', baseURL: `${server.url}/v1` });
  const ours = openai({ model: 'm', apiKey: 'none', baseURL: `${server.url}/v1`, api: 'chat' });
  const contestants = [
    { name: 'floor', run: () => rawText(`${server.url}/v1/chat/completions`, (data) => data.choices[0]?.delta.content ?? ''), close: server.close },
    { name: 'openai create()', run: () => collect(client.chat.completions.create({ model: 'm', messages, stream: true }), (part) => part.choices[0]?.delta.content ?? '') },
    { name: 'openai .stream()', run: () => client.chat.completions.stream({ model: 'm', messages }).finalContent() },
    { name: 'haft', run: () => adapterText(ours) },
  ];
  return workload('stream openai', contestants);
}

export async function anthropicStreamWorkload() {
  const { default: Anthropic } = await import('@anthropic-ai/sdk');
  const server = await startServer();
  const client = new Anthropic({ apiKey: 'none', baseURL: server.url });
  const ours = anthropic({ model: 'm', apiKey: 'none', baseURL: server.url });
  const contestants = [
    { name: 'floor', run: () => rawText(`${server.url}/v1/messages`, (data) => data.delta?.text ?? ''), close: server.close },
    { name: 'anthropic create()', run: () => collect(client.messages.create({ model: 'm', max_tokens: 100, messages, stream: true }), (part) => part.delta?.text ?? '') },
    { name: 'anthropic .stream()', run: () => client.messages.stream({ model: 'm', max_tokens: 100, messages }).finalText() },
    { name: 'haft', run: () => adapterText(ours) },
  ];
  return workload('stream anthropic', contestants);
}

function workload(name, contestants) {
  const check = (text, contestant) => assert.ok(text.startsWith('word0 ') && text.trimEnd().endsWith(`word${deltas - 1}`), `${contestant}: ${text.slice(0, 80)}`);
  return { name, what: `${deltas} deltas over HTTP`, unit: 'µs of CPU a delta', rounds: 15, warm: 10, contestants: contestants.map((contestant) => ({ ...contestant, per: deltas, figure: 'cpu' })), check };
}

async function rawText(url, textOf) {
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ model: 'm', messages, stream: true }) });
  const decoder = new TextDecoder();
  let text = '';
  let buffer = '';
  for await (const chunk of response.body) {
    buffer += decoder.decode(chunk, { stream: true });
    for (let end = buffer.indexOf('\n\n'); end >= 0; end = buffer.indexOf('\n\n')) {
      const data = buffer.slice(buffer.indexOf('data: ') + 6, end);
      if (data !== '[DONE]') text += textOf(JSON.parse(data));
      buffer = buffer.slice(end + 2);
    }
  }
  return text;
}

async function collect(starting, textOf) {
  let text = '';
  for await (const part of await starting) text += textOf(part);
  return text;
}

async function adapterText(adapter) {
  let text = '';
  for await (const event of adapter.stream({ messages: neutral, tools: [] }, new AbortController().signal)) if (event.type === 'text_delta') text += event.text;
  return text;
}

async function startServer() {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../processes/delta-server.mjs', import.meta.url))], { stdio: ['pipe', 'pipe', 'inherit'] });
  const port = await new Promise((resolve) => child.stdout.once('data', (chunk) => resolve(Number(chunk))));
  return { url: `http://127.0.0.1:${port}`, close: () => child.stdin.end() };
}
