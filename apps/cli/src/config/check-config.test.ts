// A wrong configuration names the key and what is right.
import { expect, test } from '@jest/globals';
import { checkConfig } from './check-config.js';

const plugin = { name: 'fs', tools: [], services: [], only: () => plugin, without: () => plugin };

test('a full configuration has no problems', () => {
  const config = {
    name: 'mine',
    model: 'offline',
    baseURL: 'http://127.0.0.1:8080/v1',
    instructions: 'Be short.',
    plugins: [plugin],
    tools: ['read_file'],
    permissions: { mode: 'ask', allow: ['read_file'], ask: [], deny: ['read_file(**/.env*)'] },
    limits: { maxTurns: 50, maxParallelCalls: 8, maxCost: 0.5 },
    workspace: { extraRoots: [{ path: '/srv', access: 'read' }], deny: ['**/*.pem'] },
  };
  expect(checkConfig(config)).toEqual([]);
});

test.each([
  [{ permissions: { alow: [] } }, 'permissions.alow', /is not a setting.*"allow"/],
  [{ modle: 'x' }, 'modle', /"model"/],
  [{ zzz: 1 }, 'zzz', /Settings here: name, model/],
  [{ limits: { maxTurns: 0 } }, 'limits.maxTurns', /whole number above 0, not 0/],
  [{ limits: { maxTurns: '5' } }, 'limits.maxTurns', /not "5"/],
  [{ permissions: { mode: 'readonly' } }, 'permissions.mode', /read-only, ask.*Did you mean "read-only"/],
  [{ permissions: { allow: 'read_file' } }, 'permissions.allow', /must be an array, not "read_file"/],
  [{ plugins: [plugin, function fs() {}] }, 'plugins[1]', /call it: fs\(\)/],
  [{ baseURL: 'localhost:80' }, 'baseURL', /http/],
  [[], '', /must be an object, not an array/],
  [null, '', /not null/],
  [{ ['__proto__' as string]: 1, constructor: 2 }, 'constructor', /is not a setting/],
])('%j is refused at %s', (config, key, message) => {
  const problem = checkConfig(config).find((found) => found.key === key);
  expect(problem?.message).toMatch(message);
});

test('everything wrong is reported at once', () => {
  expect(checkConfig({ modle: 'x', limits: { maxTurn: 1 } }).map(({ key }) => key)).toEqual(['modle', 'limits.maxTurn']);
});

test('rates by tool, scope, session and user', () => {
  const rate = { max: 5, perMs: 1_000 };
  expect(checkConfig({ limits: { rates: { tools: { bash: rate }, scopes: { network: rate }, session: rate, user: rate } } })).toEqual([]);
  expect(checkConfig({ limits: { rates: { tools: { bash: { max: 5, perM: 1 } } } } })[0]).toMatchObject({ key: 'limits.rates.tools.bash.perM', message: expect.stringContaining('"perMs"') });
});
