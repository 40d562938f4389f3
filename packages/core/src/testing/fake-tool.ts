/** Makes a tool definition from a function, for tests of what calls tools: no class, no schema, any arguments. */
import type { JsonObject } from '../schema/json.js';
import type { ServiceProvider, ToolContext, ToolDefinition, ToolHandler } from '../tool/tool.js';

export interface FakeToolOptions extends Partial<Omit<ToolDefinition, 'name' | 'instantiate'>> {
  name: string;
  check?: (args: JsonObject) => string | undefined | Promise<string | undefined>;
  access?: (args: JsonObject) => ReturnType<NonNullable<ToolHandler['access']>>;
  preview?: (args: JsonObject) => string;
  undo?: (result: unknown, args: JsonObject) => void | Promise<void>;
  toModel?: NonNullable<ToolHandler['toModel']>;
}

export type FakeExecute = (args: JsonObject, context: ToolContext) => unknown;

/** Accepts any object as arguments unless `parse` is given; scope `read` unless `scopes` is given. */
export function fakeTool(options: FakeToolOptions, execute: FakeExecute = () => 'done'): ToolDefinition {
  const { check, access, preview, undo, toModel, ...given } = options;
  return {
    description: `A fake tool named ${options.name}.`,
    tags: [],
    scopes: ['read'],
    idempotent: false,
    destructive: false,
    cost: 0,
    confirm: false,
    defer: false,
    examples: [],
    parameters: { type: 'object', properties: {}, required: [], additionalProperties: true },
    resources: [],
    sensitive: [],
    parse: (input) => ({ ok: true, value: input as Record<string, unknown>, json: input as JsonObject }),
    ...given,
    instantiate: (value) => handlerOf(value as JsonObject, { check, access, preview, undo, toModel }, execute),
  };
}

type Parts = Pick<FakeToolOptions, 'check' | 'access' | 'preview' | 'undo' | 'toModel'>;

function handlerOf(args: JsonObject, parts: { [Key in keyof Parts]: Parts[Key] | undefined }, execute: FakeExecute): ToolHandler {
  const { check, access, preview, undo, toModel } = parts;
  const handler: ToolHandler = { execute: (context) => execute(args, context) };
  if (check) handler.check = () => check(args);
  if (access) handler.access = () => access(args);
  if (preview) handler.preview = () => preview(args);
  if (undo) handler.undo = (result) => undo(result, args);
  if (toModel) handler.toModel = toModel;
  return handler;
}

/** Services for tools that need none. */
export const noServices: ServiceProvider = {
  get: (id) => {
    throw new Error(`no services here: ${String(id)}`);
  },
  create: (target) => Reflect.construct(target as unknown as new () => never, []) as never,
};
