// Makes the adapter of the chosen model; only the chosen provider's code is loaded.
import type { ModelAdapter } from '@haft/agent';
import { CliError } from '../exit-code.js';
import { didYouMean } from '../text/did-you-mean.js';
import type { ModelChoice } from './choose-model.js';

/** Throws a CliError for a provider that nobody knows. */
export async function openModel(choice: ModelChoice): Promise<ModelAdapter> {
  const { provider, model, apiKey, baseURL } = choice;
  const access = { model, ...(apiKey === undefined ? {} : { apiKey }), ...(baseURL === undefined ? {} : { baseURL }) };
  if (provider === 'offline') return (await import('@haft/offline')).offline();
  if (provider === 'anthropic') return (await import('@haft/anthropic')).anthropic(access);
  const { openai, profiles } = await import('@haft/openai');
  if (provider === 'openai') return openai(access);
  if (!Object.hasOwn(profiles, provider)) throw unknownProvider(choice, Object.keys(profiles));
  return openai({ ...access, profile: provider as keyof typeof profiles });
}

function unknownProvider({ provider, model, origin }: ModelChoice, known: readonly string[]): CliError {
  const all = ['offline', 'anthropic', ...known];
  return new CliError(
    `There is no provider "${provider}" (model "${provider}:${model}" from ${origin.where}).${didYouMean(provider, all)}`,
    2,
    `Providers: ${all.join(', ')}. For another server that speaks OpenAI's format set BASE_URL.`,
  );
}
