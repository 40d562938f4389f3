// Installs the TypeScript hooks, once per process.
import * as nodeModule from 'node:module';
import { pathToFileURL } from 'node:url';
import { ownFile } from '../config/package-folder.js';
import * as hooks from './hooks.js';

let installed = false;

/** Node 22.15 and later run hooks in place; the older, threaded form is deprecated there. The types are those of Node 20. */
export function installHooks(): void {
  if (installed) return;
  installed = true;
  process.setSourceMapsEnabled(true);
  const { registerHooks } = nodeModule as { registerHooks?: (given: typeof hooks) => void };
  if (registerHooks === undefined) nodeModule.register(pathToFileURL(ownFile('dist', 'loader', 'hooks.js')));
  else registerHooks(hooks);
}
