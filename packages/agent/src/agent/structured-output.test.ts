// A final answer of a given shape, end to end.
import { describe, expect, test } from '@jest/globals';
import { Param } from '@haft/core';
import { IsInt, Max, Min } from 'class-validator';
import { handMade } from '../../test/kit.js';
import { type ModelRequest, callWithTools } from '../index.js';
import { scriptedModel } from '../testing/scripted-model.js';

class Report {
  @Param('One line')
  title!: string;

  @Param('How sure') @IsInt() @Min(0) @Max(100)
  confidence!: number;

  @Param('What to do', { type: () => [String] })
  steps: string[] = [];

  headline(): string {
    return `${this.title} (${this.confidence} %)`;
  }
}

const good = '{"title":"Fine","confidence":90,"steps":["rest"]}';

describe('callWithTools({ output })', () => {
  test('gives an instance of the class; the model is told the schema', async () => {
    const model = scriptedModel([{ text: good }]);
    const result = await callWithTools({ ...handMade(model, {}), system: 'Be kind.', prompt: 'report', output: Report });
    expect(result.output).toBeInstanceOf(Report);
    expect(result.output?.headline()).toBe('Fine (90 %)');
    const request = model.requests[0] as ModelRequest;
    expect(request.output).toMatchObject({ name: 'Report', schema: { type: 'object', required: ['title', 'confidence'] } });
    expect(request.system).toMatch(/^Be kind\.\n\n.*"confidence"/s);
  });

  test('a code fence is no obstacle', async () => {
    const result = await callWithTools({ ...handMade(scriptedModel([{ text: `\`\`\`json\n${good}\n\`\`\`` }]), {}), prompt: 'report', output: Report });
    expect(result.output).toEqual(expect.objectContaining({ title: 'Fine' }));
  });

  test('a wrong answer is sent back with what is wrong, by field', async () => {
    const model = scriptedModel([{ text: 'It went well!' }, { text: '{"title":"Fine","confidence":900}' }, { text: good }]);
    const result = await callWithTools({ ...handMade(model, {}), prompt: 'report', output: Report });
    expect(result).toMatchObject({ status: 'completed', turns: 3, output: { confidence: 90 } });
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain('not JSON');
    expect(JSON.stringify(model.requests[2]?.messages.at(-1))).toContain('confidence');
    expect(result.messages.filter((message) => message.role === 'user' && message.origin === 'note')).toHaveLength(2);
  });

  test('three wrong answers are a failure that says so', async () => {
    const model = scriptedModel([{ text: 'no' }, { text: '[]' }, { text: '{"title":1}' }, { text: good }]);
    const result = await callWithTools({ ...handMade(model, {}), prompt: 'report', output: Report });
    expect(result).toMatchObject({ status: 'failed', error: { code: 'invalid_output' } });
    expect(model.requests).toHaveLength(3);
    expect(result.output).toBeUndefined();
  });
});
