/** The body of a Messages request. */
import type { ModelRequest, ToolChoice } from '@haft/agent';
import { WireCache, joinJson, keptJson, wireNames } from '@haft/agent/adapter';
import { type ToolDefinition, toAnthropic } from '@haft/core';
import type { MessageCreateParams, Tool, ToolChoice as WireChoice } from '@anthropic-ai/sdk/resources/messages';
import type { AnthropicOptions } from './anthropic.js';
import { type WireMessage, wireMessages } from './wire-messages.js';

const cache_control = { type: 'ephemeral' } as const;
const toolForms = new WireCache<readonly ToolDefinition[], Tool[]>();

type Fields = Omit<MessageCreateParams, 'messages' | 'tools' | 'stream'>;

/** As JSON text: the history and the tools are not written again for each request. */
export function messagesBody(provider: string, options: AnthropicOptions, request: ModelRequest): string {
  const { system, tools, toolChoice, temperature, output } = request;
  const cached = options.cache !== false;
  const messages = trimmed(wireMessages(provider, request));
  const fields: Fields = {
    model: options.model,
    max_tokens: maxTokens(options, request),
    ...(system ? { system: [{ type: 'text', text: system, ...(cached ? { cache_control } : {}) }] } : {}),
    ...(tools.length > 0 && toolChoice !== undefined && toolChoice !== 'auto' ? { tool_choice: choiceOf(toolChoice, tools, options.thinking !== undefined) } : {}),
    // A thinking model takes no temperature.
    ...(temperature === undefined || options.thinking !== undefined ? {} : { temperature }),
    ...(options.thinking === undefined ? {} : { thinking: options.thinking === 'adaptive' ? { type: 'adaptive' } : { type: 'enabled', budget_tokens: options.thinking.budgetTokens } }),
    ...outputConfig(options, output),
  };
  const toolText = tools.length > 0 ? { tools: keptJson(wireTools(tools, cached, options.fineGrainedTools === true)) } : {};
  const texts = (cached ? withBreakpoints(messages) : messages).map(({ role, content }) => `{"role":"${role}","content":${keptJson(content)}}`);
  return joinJson({ ...fields, ...(options.stream === false ? {} : { stream: true }) }, { ...toolText, messages: `[${texts.join(',')}]` });
}

function maxTokens(options: AnthropicOptions, request: ModelRequest): number {
  const wanted = request.maxOutputTokens ?? options.maxOutputTokens ?? mostTokensOf(options.model);
  const { thinking } = options;
  return typeof thinking === 'object' ? Math.max(wanted, thinking.budgetTokens + 1024) : wanted;
}

/** Older models refuse what the newer ones take. */
function mostTokensOf(model: string): number {
  if (/claude-(3-(opus|sonnet|haiku)|2|instant)/.test(model)) return 4096;
  return model.includes('claude-3-5') ? 8192 : 16_000;
}

/** Made once for a set of tools; the last one carries the breakpoint that keeps them all. */
function wireTools(tools: readonly ToolDefinition[], cached: boolean, eager: boolean): Tool[] {
  return toolForms.get(tools, `${cached} ${eager}`, () => {
    const names = wireNames(tools);
    return tools.map((tool, index) => ({
      ...(toAnthropic(tool) as unknown as Tool),
      name: names.toWire(tool.name),
      ...(eager ? { eager_input_streaming: true } : {}),
      ...(cached && index === tools.length - 1 ? { cache_control } : {}),
    }));
  });
}

/** A thinking model may not be forced to call. */
function choiceOf(choice: ToolChoice, tools: readonly ToolDefinition[], thinking: boolean): WireChoice {
  if (choice === 'none') return { type: 'none' };
  if (thinking || choice === 'auto') return { type: 'auto' };
  return choice === 'required' ? { type: 'any' } : { type: 'tool', name: wireNames(tools).toWire(choice.tool) };
}

function outputConfig({ effort, jsonSchemaOutput }: AnthropicOptions, output: ModelRequest['output']): Pick<MessageCreateParams, 'output_config'> {
  const format = jsonSchemaOutput === true && output !== undefined ? { format: { type: 'json_schema' as const, schema: output.schema as Record<string, unknown> } } : {};
  const config = { ...(effort === undefined ? {} : { effort }), ...format };
  return Object.keys(config).length === 0 ? {} : { output_config: config };
}

/**
 * Breakpoints at the end of the two newest messages of the user: the newest writes the cache, the one before is where the last request
 * wrote it. Copies: the kept forms of messages carry no marks.
 */
function withBreakpoints(messages: WireMessage[]): WireMessage[] {
  let left = 2;
  for (let at = messages.length - 1; at >= 0 && left > 0; at -= 1) {
    const message = messages[at];
    const end = message?.content.at(-1);
    if (message === undefined || end === undefined || message.role !== 'user') continue;
    left -= 1;
    messages[at] = { ...message, content: [...message.content.slice(0, -1), { ...end, cache_control } as typeof end] };
  }
  return messages;
}

/** An answer to be continued may not end in white space. */
function trimmed(messages: WireMessage[]): WireMessage[] {
  const last = messages.at(-1);
  const end = last?.content.at(-1);
  if (last === undefined || last.role !== 'assistant' || end?.type !== 'text') return messages;
  return [...messages.slice(0, -1), { ...last, content: [...last.content.slice(0, -1), { ...end, text: end.text.trimEnd() }] }];
}
