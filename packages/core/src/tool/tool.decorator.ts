/** `@Tool`: marks a class, or a method of a service, as a tool. It only records; nothing is registered by being imported. */
import { SetupError } from '../errors.js';
import { checkToolOptions } from './check-options.js';
import { isOwnMethodMarked, markMethod, markTool, readTool } from './tool-metadata.js';
import type { Class, ToolHandler, ToolOptions } from './tool.js';

/** The class form needs a fitting `execute`; the compiler refuses a class without one. */
export interface ToolDecorator {
  (target: new (...parameters: never[]) => ToolHandler): void;
  <Method extends (...parameters: never[]) => unknown>(target: object, method: string | symbol, descriptor: TypedPropertyDescriptor<Method>): void;
}

/**
 * Makes a tool of a class (its fields are the parameters, `execute` the action) or of a method (its parameters are the
 * parameters). `description` is what the model reads to choose the tool.
 * @throws SetupError on the spot for an unknown or wrong option, a static method, an accessor, or a second `@Tool`.
 */
export function Tool(description: string, options?: ToolOptions): ToolDecorator;
export function Tool(options: ToolOptions): ToolDecorator;
export function Tool(first: string | ToolOptions, second: ToolOptions = {}): ToolDecorator {
  const options: ToolOptions = typeof first === 'string' ? Object.assign({}, second, { description: first }) : Object.assign({}, first);
  return ((target: Class | object, method?: string | symbol, descriptor?: PropertyDescriptor) => {
    if (method === undefined) markToolClass(target as Class, options);
    else markToolMethod(target, method, descriptor, options);
  }) as ToolDecorator;
}

function markToolClass(target: Class, options: ToolOptions): void {
  const name = target.name === '' ? '(anonymous class)' : target.name;
  checkToolOptions(options, name);
  if (readTool(target) !== undefined) throw new SetupError(`@Tool stands twice on the class ${name}. Keep one.`);
  if (target.name === '' && options.name === undefined) {
    throw new SetupError('@Tool on an anonymous class: give the class a name, or the option "name".');
  }
  markTool(target, options);
}

function markToolMethod(holder: object, method: string | symbol, descriptor: PropertyDescriptor | undefined, options: ToolOptions): void {
  const where = `${classNameOf(holder)}.${String(method)}`;
  if (typeof holder === 'function') throw new SetupError(`@Tool on the static method ${where}: make it an instance method, so that it can have services.`);
  if (typeof method === 'symbol') throw new SetupError(`@Tool on ${where}: a method named by a symbol cannot be a tool. Give it a name.`);
  if (descriptor === undefined || typeof descriptor.value !== 'function') {
    throw new SetupError(`@Tool on ${where}: it is not a method (a getter, setter or field). Put @Tool on a method or a class.`);
  }
  checkToolOptions(options, where);
  if (isOwnMethodMarked(holder, method)) throw new SetupError(`@Tool stands twice on the method ${where}. Keep one.`);
  markMethod(holder, { method, options });
}

function classNameOf(holder: object): string {
  const name = typeof holder === 'function' ? holder.name : holder.constructor.name;
  return name === '' ? '(anonymous class)' : name;
}
