/** The tools and the choice among them, in the forms of Chat Completions and Responses; made once for a set of tools. */
import { type ToolDefinition, toGemini, toOpenAI, toOpenAIStrict } from '@haft/core';
import type { ToolChoice } from '@haft/agent';
import { WireCache, wireNames } from '@haft/agent/adapter';
import type { ChatCompletionTool, ChatCompletionToolChoiceOption } from 'openai/resources/chat/completions';
import type { FunctionTool, ToolChoiceFunction } from 'openai/resources/responses/responses';
import type { Profile } from './profiles.js';

interface FunctionShape {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  strict?: boolean;
}

const chatTools = new WireCache<readonly ToolDefinition[], ChatCompletionTool[]>();
const responseTools = new WireCache<readonly ToolDefinition[], FunctionTool[]>();

/** `strict`: whether every tool that can be is sent strict, not only those marked so. */
export function toolsForChat(tools: readonly ToolDefinition[], profile: Profile, strict: boolean): ChatCompletionTool[] {
  return chatTools.get(tools, `${profile.name} ${strict}`, () => shapes(tools, profile, strict).map((shape) => ({ type: 'function', function: shape })));
}

export function toolsForResponses(tools: readonly ToolDefinition[], profile: Profile, strict: boolean): FunctionTool[] {
  return responseTools.get(tools, `${profile.name} ${strict}`, () => shapes(tools, profile, strict).map((shape) => ({ type: 'function', strict: false, ...shape })));
}

function shapes(tools: readonly ToolDefinition[], profile: Profile, strict: boolean): FunctionShape[] {
  const names = wireNames(tools);
  return tools.map((tool) => ({ ...shapeOf(tool, profile, strict), name: names.toWire(tool.name) }));
}

function shapeOf(tool: ToolDefinition, profile: Profile, strict: boolean): FunctionShape {
  if (profile.toolSchemas === 'gemini') {
    const { name, description, parameters = { type: 'object', properties: {} } } = toGemini(tool);
    return { name, description, parameters: parameters as Record<string, unknown> };
  }
  const wanted = profile.strictTools && (tool.strict ?? strict);
  return (wanted ? toOpenAIStrict(tool) : toOpenAI(tool)).function as FunctionShape;
}

export function choiceForChat(choice: ToolChoice, tools: readonly ToolDefinition[]): ChatCompletionToolChoiceOption {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: wireNames(tools).toWire(choice.tool) } };
}

export function choiceForResponses(choice: ToolChoice, tools: readonly ToolDefinition[]): 'auto' | 'none' | 'required' | ToolChoiceFunction {
  return typeof choice === 'string' ? choice : { type: 'function', name: wireNames(tools).toWire(choice.tool) };
}
