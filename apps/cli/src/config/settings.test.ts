// Which source wins, and that every value knows where it came from.
import { expect, test } from '@jest/globals';
import { environmentLayer } from './environment.js';
import { mergeLayers } from './settings.js';

test('flags win over environment, project, user and defaults; each value keeps its origin', () => {
  const settings = mergeLayers([
    { kind: 'flag', where: 'flags', values: { maxTurns: 3 }, places: { maxTurns: '--max-turns' } },
    environmentLayer({ HAFT_MAX_TURNS: '9', MODEL: 'openai:m' }),
    { kind: 'project', where: '/p/agent.config.ts', values: { model: 'offline', maxCost: 2 } },
    { kind: 'user', where: '/u/config.json', values: { maxCost: 1, name: 'mine' } },
    { kind: 'default', where: 'built in', values: { permissionMode: 'ask' } },
  ]);
  expect(settings.maxTurns).toEqual({ value: 3, origin: { kind: 'flag', where: '--max-turns' } });
  expect(settings.model).toEqual({ value: 'openai:m', origin: { kind: 'environment', where: 'MODEL' } });
  expect(settings.maxCost).toEqual({ value: 2, origin: { kind: 'project', where: '/p/agent.config.ts' } });
  expect(settings.name?.origin.kind).toBe('user');
  expect(settings.permissionMode?.origin.kind).toBe('default');
});

test('patterns that protect files add up over the sources', () => {
  const settings = mergeLayers([
    { kind: 'project', where: 'p', values: { denyPaths: ['a'] } },
    { kind: 'user', where: 'u', values: { denyPaths: ['b', 'a'] } },
  ]);
  expect(settings.denyPaths?.value).toEqual(['a', 'b']);
});

test('HAFT_MODEL wins over MODEL, and empty variables count as not set', () => {
  expect(environmentLayer({ HAFT_MODEL: 'a', MODEL: 'b' }).values.model).toBe('a');
  expect(environmentLayer({ HAFT_MODEL: ' ', MODEL: '' }).values).toEqual({});
});

test.each([
  [{ HAFT_MAX_TURNS: 'many' }, /HAFT_MAX_TURNS must be a whole number above 0, not "many"/],
  [{ HAFT_PERMISSION_MODE: 'yolo' }, /HAFT_PERMISSION_MODE must be one of read-only, ask/],
])('%j is refused', (env, message) => {
  expect(() => environmentLayer(env)).toThrow(message);
});
