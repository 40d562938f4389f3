// What a configuration may hold, as data: the one table behind validation and "did you mean".

import { permissionModes } from './settings.js';

export type Check =
  | { kind: 'object'; keys: Readonly<Record<string, Check>> }
  | { kind: 'array'; items: Check }
  /** An object with keys of the user's own. */
  | { kind: 'record'; items: Check }
  | { kind: 'choice'; values: readonly string[] }
  /** Says what the value must be, or undefined when it is. */
  | { kind: 'value'; refuse: (value: unknown) => string | undefined };

const text: Check = { kind: 'value', refuse: (value) => (typeof value === 'string' && value.trim() !== '' ? undefined : 'must be a text that is not empty') };
const texts: Check = { kind: 'array', items: text };
const count: Check = { kind: 'value', refuse: (value) => (Number.isSafeInteger(value) && Number(value) > 0 ? undefined : 'must be a whole number above 0') };
const amount: Check = {
  kind: 'value',
  refuse: (value) => (typeof value === 'number' && Number.isFinite(value) && value > 0 ? undefined : 'must be a number above 0'),
};
const address: Check = {
  kind: 'value',
  refuse: (value) => (typeof value === 'string' && /^https?:$/.test(protocolOf(value)) ? undefined : 'must be an http(s) address'),
};
const rate: Check = { kind: 'object', keys: { max: count, perMs: count } };
const rates: Check = {
  kind: 'object',
  keys: {
    tools: { kind: 'record', items: rate },
    scopes: { kind: 'object', keys: { read: rate, write: rate, network: rate, dangerous: rate } },
    session: rate,
    user: rate,
  },
};
const plugin: Check = { kind: 'value', refuse: refusePlugin };

export const configShape: Check = {
  kind: 'object',
  keys: {
    name: text,
    model: text,
    baseURL: address,
    instructions: text,
    plugins: { kind: 'array', items: plugin },
    tools: texts,
    permissions: { kind: 'object', keys: { mode: { kind: 'choice', values: permissionModes }, allow: texts, ask: texts, deny: texts } },
    limits: {
      kind: 'object',
      keys: { maxTurns: count, maxParallelCalls: count, maxCost: amount, maxRunMs: count, toolTimeoutMs: count, maxOutputChars: count, rates },
    },
    workspace: {
      kind: 'object',
      keys: {
        extraRoots: { kind: 'array', items: { kind: 'object', keys: { path: text, access: { kind: 'choice', values: ['read', 'write'] } } } },
        deny: texts,
        readOnly: texts,
      },
    },
  },
};

/** The dotted names of all settings below `path`. */
export function keysOf(check: Check, path: string): string[] {
  if (check.kind !== 'object' || check === rates) return [path];
  return Object.entries(check.keys).flatMap(([name, item]) => keysOf(item, path === '' ? name : `${path}.${name}`));
}

function protocolOf(value: string): string {
  try {
    return new URL(value).protocol;
  } catch {
    return '';
  }
}

function refusePlugin(value: unknown): string | undefined {
  if (typeof value === 'function') return `must be a plugin; call it: ${value.name || 'plugin'}()`;
  const fits = typeof value === 'object' && value !== null && 'name' in value && 'tools' in value && 'only' in value;
  return fits ? undefined : 'must be a plugin, as definePlugin(…)() gives it';
}
