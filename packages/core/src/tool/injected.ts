/** Values of `@FromContext`, as the host gave them with the call. */
import { ToolFailure } from '../errors.js';
import type { InjectedValues } from './tool.js';

/** @throws ToolFailure when the host gave none: a tool that counts on a user or tenant must not run without. */
export function injectedValue(name: string, injected: InjectedValues, where: string): unknown {
  if (Object.hasOwn(injected, name)) return injected[name];
  throw new ToolFailure('execution_failed', `${where} needs "${name}" from the host, which gave none.`, { retryable: false });
}
