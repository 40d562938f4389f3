/** The function tool of OpenAI's Chat Completions, not strict: the canonical schema as it is. */
import type { JsonSchema } from '../json.js';
import { descriptionOf, oncePerDefinition } from './dialect.js';

export interface OpenAITool {
  type: 'function';
  function: { name: string; description: string; parameters: JsonSchema; strict?: boolean };
}

export const toOpenAI = oncePerDefinition<OpenAITool>((definition) => ({
  type: 'function',
  function: { name: definition.name, description: descriptionOf(definition), parameters: definition.parameters },
}));
