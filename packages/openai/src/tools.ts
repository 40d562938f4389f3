/** The tools and the choice among them, in the forms of Chat Completions and Responses; made once for a set of tools. */
import type { ToolDefinition } from '@haft/core';
import { type ToolChoice, WireCache, wireNames } from '@haft/agent';
import type { ChatCompletionTool, ChatCompletionToolChoiceOption } from 'openai/resources/chat/completions';
import type { FunctionTool, ToolChoiceFunction } from 'openai/resources/responses/responses';

interface FunctionShape {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  strict: boolean;
}

const chatTools = new WireCache<readonly ToolDefinition[], ChatCompletionTool[]>();
const responseTools = new WireCache<readonly ToolDefinition[], FunctionTool[]>();

export function toolsForChat(tools: readonly ToolDefinition[], strictAllowed: boolean): ChatCompletionTool[] {
  return chatTools.get(tools, String(strictAllowed), () =>
    shapes(tools, strictAllowed).map(({ strict, ...shape }) => ({ type: 'function', function: strict ? { ...shape, strict } : shape })),
  );
}

export function toolsForResponses(tools: readonly ToolDefinition[], strictAllowed: boolean): FunctionTool[] {
  return responseTools.get(tools, String(strictAllowed), () => shapes(tools, strictAllowed).map((shape) => ({ type: 'function', ...shape })));
}

function shapes(tools: readonly ToolDefinition[], strictAllowed: boolean): FunctionShape[] {
  const names = wireNames(tools);
  return tools.map((tool) => ({
    name: names.toWire(tool.name),
    description: tool.description,
    parameters: tool.parameters as Record<string, unknown>,
    strict: strictAllowed && tool.strict === true,
  }));
}

export function choiceForChat(choice: ToolChoice, tools: readonly ToolDefinition[]): ChatCompletionToolChoiceOption {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: wireNames(tools).toWire(choice.tool) } };
}

export function choiceForResponses(choice: ToolChoice, tools: readonly ToolDefinition[]): 'auto' | 'none' | 'required' | ToolChoiceFunction {
  return typeof choice === 'string' ? choice : { type: 'function', name: wireNames(tools).toWire(choice.tool) };
}
