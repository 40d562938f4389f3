// The model: which one, whether its server answers, and whether the key is taken.
import type { Profile } from '@haft/openai';
import type { ResolvedSettings } from '../config/resolve-settings.js';
import { chooseModel, type ModelChoice } from '../model/choose-model.js';
import { openModel } from '../model/open-model.js';
import { type Finding, ok, problem, problemOf, warning } from './check.js';

const patienceMs = 5_000;

export async function modelChecks({ settings, envFile }: ResolvedSettings): Promise<Finding[]> {
  let choice: ModelChoice;
  try {
    choice = chooseModel(settings, { env: process.env, envFile });
    await openModel(choice);
  } catch (error) {
    return [problemOf('model', error)];
  }
  const named = `${choice.provider === 'offline' ? 'offline' : `${choice.provider}:${choice.model}`} (${choice.origin.where})`;
  if (choice.provider === 'offline') return [ok('model', `${named}: rules, not a model; works without key and network`)];
  return [ok('model', named), await reach(choice)];
}

/** Asks the server for its list of models, which costs nothing. */
async function reach(choice: ModelChoice): Promise<Finding> {
  const base = await addressOf(choice);
  if (base === undefined) return warning('model server', 'its address is not known here, so it was not asked');
  const url = `${base.replace(/\/$/, '')}${choice.provider === 'anthropic' && !base.endsWith('/v1') ? '/v1' : ''}/models`;
  const key = choice.apiKey ?? '';
  const headers: Record<string, string> = choice.provider === 'anthropic' ? { 'x-api-key': key, 'anthropic-version': '2023-06-01' } : { authorization: `Bearer ${key}` };
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(patienceMs), redirect: 'error' });
    await response.body?.cancel();
    return understand(response.status, url);
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    return problem('model server', `${new URL(url).origin} does not answer: ${cause}`, 'Check the network, a proxy, and BASE_URL.');
  }
}

function understand(status: number, url: string): Finding {
  const { origin } = new URL(url);
  if (status === 401 || status === 403) return problem('model server', `${origin} answers, but refuses the key (${status})`, 'Check the key; it may be of another provider or have expired.');
  if (status >= 200 && status < 300) return ok('model server', `${origin} answers and takes the key`);
  return warning('model server', `${origin} answers with ${status}; whether the key is taken shows at the first request`);
}

async function addressOf({ provider, baseURL }: ModelChoice): Promise<string | undefined> {
  if (baseURL !== undefined) return baseURL;
  if (provider === 'anthropic') return 'https://api.anthropic.com';
  const { profiles } = await import('@haft/openai');
  const profile: Partial<Profile> = Object.hasOwn(profiles, provider) ? profiles[provider as keyof typeof profiles] : {};
  return profile.baseURL;
}
