// A streamed answer of 500 deltas over HTTP on loopback: what reading it costs, per delta, from the bytes to the text.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { anthropic } from '../../packages/anthropic/dist/index.js';
import { anthropicStreams, openaiStreams } from '../contestants/streams.mjs';
import { openai } from '../../packages/openai/dist/index.js';

const deltas = 500;
const messages = [{ role: 'user', content: 'go' }];
const neutral = [{ role: 'user', content: [{ type: 'text', text: 'go' }] }];

export async function openaiStreamWorkload() {
  const server = await startServer();
  const url = `${server.url}/v1/chat/completions`;
  const ours = openai({ model: 'm', apiKey: 'none', baseURL: `${server.url}/v1`, api: 'chat' });
  return workload('stream openai', server, { floor: () => rawText(url, (data) => data.choices[0]?.delta.content ?? ''), haft: () => adapterText(ours), ...(await openaiStreams(server.url)) });
}

export async function anthropicStreamWorkload() {
  const server = await startServer();
  const ours = anthropic({ model: 'm', apiKey: 'none', baseURL: server.url });
  return workload('stream anthropic', server, { floor: () => rawText(`${server.url}/v1/messages`, (data) => data.delta?.text ?? ''), haft: () => adapterText(ours), ...(await anthropicStreams(server.url)) });
}

function workload(name, server, runs) {
  const contestants = Object.entries(runs).map(([contestant, run]) => ({ name: contestant, run, per: deltas, figure: 'cpu', ...(contestant === 'floor' ? { close: server.close } : {}) }));
  const check = (text, contestant) => assert.ok(text.startsWith('word0 ') && text.trimEnd().endsWith(`word${deltas - 1}`), `${contestant}: ${text.slice(0, 80)}`);
  return { name, what: `${deltas} deltas over HTTP`, unit: 'µs of CPU a delta', rounds: 15, warm: 10, contestants, check };
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
