import { type RunResult, SessionStore, callWithTools } from '@haft/agent';
import { Param, Tool } from '@haft/core';
import { offline } from '@haft/offline';
import { IsNumber, Min } from 'class-validator';

@Tool('Convert a temperature from Celsius to Fahrenheit.', { name: 'to_fahrenheit', scopes: [] })
class ToFahrenheit {
  @Param('Degrees Celsius') @IsNumber() @Min(-273.15)
  celsius!: number;

  execute() {
    return { fahrenheit: this.celsius * 1.8 + 32 };
  }
}

/** Asks within the conversation that is kept in `folder`, or begins one. */
export async function ask(prompt: string, folder: string, show: (line: string) => void = () => {}): Promise<RunResult> {
  const store = SessionStore.open(folder);
  const latest = store.latest();
  return callWithTools({
    model: offline(), // or openai({ model }), anthropic({ model })
    tools: [ToFahrenheit],
    session: latest === undefined ? store.create() : store.load(latest.id),
    limits: { maxTurns: 10 },
    prompt,
    onEvent(event) {
      if (event.type === 'tool_call_started') show(`calls ${event.tool} with ${JSON.stringify(event.arguments)}`);
      if (event.type === 'retrying') show(`${event.message} Trying again in ${event.delayMs} ms.`);
    },
  });
}
