// Which model to use: what is configured, else what the keys in the environment allow, else the offline stand-in, said in one line.
import { nearName } from '@haft/core/near-name';
import { profileKeys } from '@haft/openai/profile-keys';
import { isLocalAddress } from '../config/environment.js';
import type { Origin, Setting, Settings } from '../config/settings.js';
import { CliError, exitCode } from '../exit-code.js';
import { didYouMean } from '../text/did-you-mean.js';

type Environment = Readonly<Record<string, string | undefined>>;

export interface ModelChoice {
  /** `offline`, `anthropic`, `openai`, or a profile of the OpenAI adapter. */
  provider: string;
  model: string;
  apiKey?: string;
  baseURL?: string;
  /** Where the choice comes from. */
  origin: Origin;
  /** Said once on stderr. */
  note?: string;
}

export interface ModelSources {
  env: Environment;
  /** The variables of the project's `.env`. */
  envFile: Environment;
}

const defaultModels: Readonly<Record<string, string>> = { anthropic: 'claude-sonnet-4-5', openai: 'gpt-5-mini' };
const ownKeys: Readonly<Record<string, readonly string[]>> = { anthropic: ['ANTHROPIC_API_KEY'], ...profileKeys };
const ownAddresses: Readonly<Record<string, string>> = { anthropic: 'ANTHROPIC_BASE_URL', openai: 'OPENAI_BASE_URL' };
/** What Ollama and its like put behind the colon in names of models, some of which begin like a provider ("mistral:7b"). */
const modelTag = /^(\d|latest\b|instruct\b|chat\b|text\b)/;

/** Throws a CliError: 2 for a model that cannot be meant, 3 where a key is missing. */
export function chooseModel(settings: Settings, sources: ModelSources): ModelChoice {
  const { provider, model, origin } = settings.model === undefined ? unnamed(settings, sources) : named(settings.model, settings);
  if (provider === 'offline') return { provider, model: 'offline', origin, ...(settings.model === undefined ? { note: offlineNote } : {}) };
  const address = settings.baseURL ?? variable(ownAddresses[provider], sources);
  const key = keyFor(provider, settings, sources);
  refuseStrangeAddress(address, key);
  return {
    provider,
    model,
    origin,
    ...(address === undefined ? {} : { baseURL: address.value }),
    ...(key === undefined ? keyOfLocalServer(provider, address) : { apiKey: key.value }),
  };
}

const offlineNote =
  'No model key is set, so the offline stand-in answers: rules, not a model. Set ANTHROPIC_API_KEY or OPENAI_API_KEY, or MODEL_API_KEY, BASE_URL and MODEL.';

interface Named {
  provider: string;
  model: string;
  origin: Origin;
}

function named({ value, origin }: Setting<string>, settings: Settings): Named {
  if (value === 'offline') return { provider: 'offline', model: 'offline', origin };
  if (settings.baseURL === undefined) refuseSlip(value, origin);
  const [, prefix = '', rest = ''] = /^([a-z][a-z0-9-]*):(.+)$/.exec(value) ?? [];
  if (settings.baseURL === undefined) return prefix === '' ? { provider: value.startsWith('claude') ? 'anthropic' : 'openai', model: value, origin } : { provider: prefix, model: rest, origin };
  // A colon may belong to the model's own name ("llama3:8b"): with an address of a server it is taken whole unless a provider is named.
  if (prefix in ownKeys && !modelTag.test(rest)) return { provider: prefix, model: rest, origin };
  return { provider: /^https:\/\/api\.openai\.com(\/|$)/.test(settings.baseURL.value) ? 'openai' : 'compatible', model: value, origin };
}

/** One word that is nearly "offline", or a provider without a model, would be sent to OpenAI as the name of a model. */
function refuseSlip(value: string, { where }: Origin): void {
  const example = defaultModels[value];
  if (example !== undefined) throw new CliError(`"${value}" (from ${where}) is a provider; which of its models?`, exitCode.usage, `For example ${value}:${example}.`);
  if (nearName(value, ['offline']) !== undefined) throw new CliError(`There is no model "${value}" (from ${where}).${didYouMean(value, ['offline'])}`);
}

function unnamed(settings: Settings, sources: ModelSources): Named {
  for (const [provider, model] of Object.entries(defaultModels)) {
    const key = ownKey(provider, sources);
    if (key !== undefined && settings.baseURL === undefined) return { provider, model, origin: { kind: 'default', where: `${key.origin.where} is set` } };
  }
  const half = settings.apiKey ?? settings.baseURL;
  if (half !== undefined) throw new CliError(`${half.origin.where} is set, but no model is named.`, exitCode.usage, 'Set MODEL, or give --model provider:model.');
  return { provider: 'offline', model: 'offline', origin: { kind: 'default', where: 'no key is set' } };
}

function keyFor(provider: string, settings: Settings, sources: ModelSources): Setting<string> | undefined {
  const own = ownKey(provider, sources);
  const general = settings.apiKey;
  return settings.baseURL === undefined ? (own ?? general) : (general ?? own);
}

function ownKey(provider: string, sources: ModelSources): Setting<string> | undefined {
  for (const name of ownKeys[provider] ?? []) {
    const key = variable(name, sources);
    if (key !== undefined) return key;
  }
  return undefined;
}

function variable(name: string | undefined, { env, envFile }: ModelSources): Setting<string> | undefined {
  if (name === undefined) return undefined;
  const real = env[name];
  if (real) return { value: real, origin: { kind: 'environment', where: name } };
  const file = envFile[name];
  return file ? { value: file, origin: { kind: 'env file', where: `.env (${name})` } } : undefined;
}

/** A `.env` that came with a project may not send a key that is not its own to an address of its choice. */
function refuseStrangeAddress(address: Setting<string> | undefined, key: Setting<string> | undefined): void {
  if (address?.origin.kind !== 'env file' || key === undefined || key.origin.kind === 'env file') return;
  throw new CliError(
    `The server address comes from ${address.origin.where}, but the key from ${key.origin.where}; a project's .env may not send your key elsewhere.`,
    exitCode.usage,
    'Set BASE_URL in the environment or the config if that is what you want, or put the key into the same .env.',
  );
}

/** Servers on this machine seldom want a key, and the SDKs insist on one. */
function keyOfLocalServer(provider: string, address: Setting<string> | undefined): { apiKey?: string } {
  if (address !== undefined && isLocalAddress(address.value)) return { apiKey: 'not-needed' };
  const name = ownKeys[provider]?.[0];
  if (name === undefined) return {};
  throw new CliError(`${provider} needs a key, and ${name} is not set.`, exitCode.noCredentials, `Set ${name} (or MODEL_API_KEY), or use --model offline.`);
}
