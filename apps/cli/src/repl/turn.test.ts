// What was sent during a turn and came too late for it.
import { expect, test } from '@jest/globals';
import { type Agent, createAgent, type RunOptions, type UserMessage } from '@haft/agent';
import { scriptedModel } from '@haft/agent/testing';
import { ToolRegistry } from '@haft/core';
import { noServices } from '@haft/core/testing';
import { PassThrough } from 'node:stream';
import { Keyboard } from '../input/keyboard.js';
import { Terminal } from '../output/terminal.js';
import { ConversationLog } from './conversation-log.js';
import { TurnRunner } from './turn.js';

const message: UserMessage = { role: 'user', content: [{ type: 'text', text: 'go' }] };

/** An agent that is told something when its last request is over, and may then be stopped. */
function toldLate(stop: AbortController | undefined): Agent {
  const agent = createAgent({ model: scriptedModel([{ text: 'answer' }]), registry: new ToolRegistry(), services: noServices });
  const run = agent.run.bind(agent);
  agent.run = async function* (input, options: RunOptions = {}) {
    const events = run(input, stop === undefined ? options : { ...options, signal: stop.signal });
    for (;;) {
      const next = await events.next();
      if (next.done === true) return next.value as never;
      if (next.value.type === 'turn_started') stop?.abort();
      if (next.value.type === 'run_finished') await agent.steer('late');
      yield next.value;
    }
  };
  return agent;
}

function runner(): TurnRunner {
  const output = { write: () => true };
  return new TurnRunner(new Terminal({ stdin: {}, stdout: output, stderr: output, env: {} }), new Keyboard(new PassThrough() as never), new ConversationLog());
}

test('is the next message when the turn was completed', async () => {
  const turns = runner();
  await turns.run(toldLate(undefined), message);
  expect([turns.nextLater(), turns.nextLater(), turns.takeTyped()]).toEqual(['late', undefined, '']);
});

test('comes back to the prompt when it was stopped', async () => {
  const turns = runner();
  await turns.run(toldLate(new AbortController()), message);
  expect([turns.nextLater(), turns.takeTyped()]).toEqual([undefined, 'late']);
});
