/** The tool of Anthropic's Messages: the canonical schema as it is. */
import type { JsonSchema } from '../json.js';
import { descriptionOf, oncePerDefinition } from './dialect.js';

export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: JsonSchema;
}

export const toAnthropic = oncePerDefinition<AnthropicTool>((definition) => ({
  name: definition.name,
  description: descriptionOf(definition),
  input_schema: definition.parameters,
}));
