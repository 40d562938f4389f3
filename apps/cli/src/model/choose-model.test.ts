// Which model a set of settings and variables means.
import { describe, expect, test } from '@jest/globals';
import { environmentLayer } from '../config/environment.js';
import { mergeLayers, type SettingValues } from '../config/settings.js';
import { chooseModel } from './choose-model.js';

function choose(env: Record<string, string>, config: Partial<SettingValues> = {}, envFile: Record<string, string> = {}) {
  const file = { ...environmentLayer(envFile), kind: 'env file' as const, places: {}, where: '.env' };
  const settings = mergeLayers([environmentLayer(env), file, { kind: 'project', where: 'agent.config.ts', values: config }]);
  return chooseModel(settings, { env, envFile });
}

test('with no key: offline, said in one line', () => {
  const choice = choose({});
  expect(choice).toMatchObject({ provider: 'offline', model: 'offline' });
  expect(choice.note).toMatch(/offline stand-in.*ANTHROPIC_API_KEY/);
});

test('offline by choice says nothing', () => {
  expect(choose({}, { model: 'offline' }).note).toBeUndefined();
});

test.each([
  [{ ANTHROPIC_API_KEY: 'k' }, {}, { provider: 'anthropic', apiKey: 'k' }],
  [{ OPENAI_API_KEY: 'k' }, {}, { provider: 'openai', apiKey: 'k' }],
  [{ OPENAI_API_KEY: 'k' }, { model: 'openai:gpt-x' }, { provider: 'openai', model: 'gpt-x', apiKey: 'k' }],
  [{ ANTHROPIC_API_KEY: 'k' }, { model: 'claude-x' }, { provider: 'anthropic', model: 'claude-x' }],
  [{ MODEL_API_KEY: 'k', BASE_URL: 'http://host/v1', MODEL: 'llama3:8b' }, {}, { provider: 'compatible', model: 'llama3:8b', apiKey: 'k', baseURL: 'http://host/v1' }],
  [{ MODEL_API_KEY: 'k', BASE_URL: 'http://host/v1', MODEL: 'mistral:7b' }, {}, { provider: 'compatible', model: 'mistral:7b' }],
  [{ MODEL_API_KEY: 'k', BASE_URL: 'http://host/v1', MODEL: 'deepseek:deepseek-chat' }, {}, { provider: 'deepseek', model: 'deepseek-chat', apiKey: 'k', baseURL: 'http://host/v1' }],
  [{ DASHSCOPE_API_KEY: 'k', BASE_URL: 'http://host/v1' }, { model: 'qwen:qwen-max' }, { provider: 'qwen', model: 'qwen-max', apiKey: 'k' }],
  [{ MODEL_API_KEY: 'k', BASE_URL: 'http://host/v1', MODEL: 'compatible:test' }, {}, { provider: 'compatible', model: 'test' }],
  [{ OPENAI_API_KEY: 'k', BASE_URL: 'https://api.openai.com/v1', MODEL: 'gpt-x' }, {}, { provider: 'openai', model: 'gpt-x' }],
  [{ MODEL: 'deepseek:deepseek-chat', MODEL_API_KEY: 'k' }, {}, { provider: 'deepseek', model: 'deepseek-chat', apiKey: 'k' }],
  [{ BASE_URL: 'http://127.0.0.1:11434/v1', MODEL: 'qwen' }, {}, { provider: 'compatible', apiKey: 'not-needed' }],
  [{ MODEL: 'openai:a', OPENAI_API_KEY: 'k' }, { model: 'anthropic:b' }, { provider: 'openai', model: 'a' }],
])('%j with config %j', (env, config, expected) => {
  expect(choose(env as Record<string, string>, config)).toMatchObject(expected);
});

test.each([
  ['offlin', /There is no model "offlin" \(from agent\.config\.ts\)\. Did you mean "offline"\?/],
  ['anthropic', /"anthropic" \(from agent\.config\.ts\) is a provider/],
])('a slip is not taken for the name of a model: %s', (model, message) => {
  expect(() => choose({ OPENAI_API_KEY: 'k' }, { model })).toThrow(expect.objectContaining({ exitCode: 2, message: expect.stringMatching(message) }));
  expect(choose({ BASE_URL: 'http://127.0.0.1:9/v1' }, { model })).toMatchObject({ provider: 'compatible', model });
});

describe('what is missing is said', () => {
  test('a named model without a key', () => {
    expect(() => choose({}, { model: 'anthropic:claude-x' })).toThrow(expect.objectContaining({ exitCode: 3, message: expect.stringContaining('ANTHROPIC_API_KEY') }));
  });

  test('a key or an address without a model', () => {
    expect(() => choose({ MODEL_API_KEY: 'k' })).toThrow(expect.objectContaining({ exitCode: 2, message: expect.stringContaining('MODEL_API_KEY is set, but no model') }));
  });
});

test('a .env that came with the project cannot send the key of the environment to its address', () => {
  const env = { OPENAI_API_KEY: 'secret' };
  expect(() => choose(env, { model: 'openai:x' }, { BASE_URL: 'http://evil.test/v1' })).toThrow(/may not send your key elsewhere/);
  expect(() => choose(env, { model: 'openai:x' }, { OPENAI_BASE_URL: 'http://evil.test/v1' })).toThrow(/may not send your key elsewhere/);
  expect(() => choose({ DEEPSEEK_API_KEY: 'secret' }, { model: 'deepseek:x' }, { BASE_URL: 'http://evil.test/v1' })).toThrow(/may not send your key elsewhere/);
  expect(choose({}, { model: 'openai:x' }, { BASE_URL: 'http://own.test/v1', MODEL_API_KEY: 'own' })).toMatchObject({ baseURL: 'http://own.test/v1', apiKey: 'own' });
});
