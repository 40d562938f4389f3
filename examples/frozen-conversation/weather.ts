import { type RunResult, callWithTools } from '@haft/agent';
import { Param, Tool } from '@haft/core';
import { openai } from '@haft/openai';

@Tool('Say the weather of a city.', { name: 'weather', scopes: [] })
class Weather {
  @Param('City, in English')
  city!: string;

  execute() {
    return this.city === 'Oslo' ? '-3 °C, snow' : '21 °C, sun';
  }
}

/** `baseURL` is where the model is: OpenAI, a recorder before it, or a recording in its place. */
export async function askWeather(prompt: string, baseURL?: string, apiKey?: string): Promise<RunResult> {
  const model = openai({ model: 'gpt-5-mini', ...(baseURL === undefined ? {} : { baseURL }), ...(apiKey === undefined ? {} : { apiKey }) });
  return callWithTools({ model, tools: [Weather], prompt });
}
