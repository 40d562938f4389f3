// One turn of 64 calls that take 10 ms each: they must run together, and the turn must cost hardly more than one of them.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { haftParallel } from '../contestants/haft.mjs';

export async function parallelWorkload() {
  const contestants = [
    { name: 'floor', run: async () => (await Promise.all(Array.from({ length: 64 }, () => sleep(10, 1)))).length },
    { name: 'haft', run: await haftParallel(64, 10) },
    { name: 'ai-sdk', run: await aiSdk() },
  ];
  return { name: 'parallel calls', what: 'a turn of 64 calls of 10 ms', unit: 'µs', rounds: 15, warm: 2, contestants, check: (count, name) => assert.equal(count, 64, name) };
}

async function aiSdk() {
  const { generateText, stepCountIs, tool } = await import('ai');
  const { MockLanguageModelV3 } = await import('ai/test');
  const { z } = await import('zod');
  const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };
  const calls = Array.from({ length: 64 }, (_, index) => ({ type: 'tool-call', toolCallId: `c${index}`, toolName: 'pause', input: '{}' }));
  const tools = { pause: tool({ description: 'pause', inputSchema: z.object({}), execute: () => sleep(10, 'ok') }) };
  return async () => {
    let turn = 0;
    const model = new MockLanguageModelV3({ doGenerate: async () => (turn++ === 0 ? { content: calls, finishReason: { unified: 'tool-calls', raw: undefined }, usage, warnings: [] } : { content: [{ type: 'text', text: 'done' }], finishReason: { unified: 'stop', raw: undefined }, usage, warnings: [] }) });
    const { steps } = await generateText({ model, tools, prompt: 'go', stopWhen: stepCountIs(3) });
    return steps[0].toolResults.length;
  };
}
