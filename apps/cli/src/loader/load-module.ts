// Imports the user's TypeScript without a build step, and explains what commonly goes wrong there.
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { CliError } from '../exit-code.js';
import { installHooks } from './install-hooks.js';

/** The module's exports. Throws a CliError (exit 2) with cause, place and remedy. */
export async function loadModule(path: string): Promise<Record<string, unknown>> {
  if (!existsSync(path)) throw new CliError(`There is no file ${path}.`);
  installHooks();
  try {
    return (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  } catch (error) {
    throw explain(error, path);
  }
}

function explain(error: unknown, path: string): CliError {
  const failure = error instanceof Error ? error : new Error(String(error));
  const [first = ''] = failure.message.split('\n');
  const place = first.includes('.ts:') ? undefined : placeOf(failure);
  return new CliError(`Cannot load ${path}: ${first}${place === undefined ? '' : ` (${place})`}`, 2, remedyFor(failure), { cause: error });
}

/** `file:line:column` of the first stack line in the user's code. */
function placeOf(error: Error): string | undefined {
  const line = error.stack?.split('\n').find((text) => /\.m?ts:\d+(:\d+\)?)?$/.test(text) && !text.includes('/node_modules/'));
  return line === undefined ? undefined : /(?:file:\/\/)?(\/[^()]+\.m?ts:\d+(?::\d+)?)\)?$/.exec(line)?.[1];
}

const remedies: readonly { when: (error: Error) => boolean; remedy: string }[] = [
  {
    when: (error) => /^Cannot access '.+' before initialization/.test(error.message),
    remedy:
      'Two classes refer to each other, or a class is used above its declaration: the type metadata needs it at once. Move it up, or write type: () => TheClass.',
  },
  {
    when: (error) => error instanceof SyntaxError && /does not provide an export named/.test(error.message),
    remedy: 'If that name is an interface or a type, import it with "import type"; it leaves nothing to import at run time.',
  },
  {
    when: (error) => 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND',
    remedy: 'Install the package in the project, or correct the path.',
  },
  {
    when: (error) => error.name === 'SetupError' && /metadata/.test(error.message) && process.execArgv.join(' ').includes('tsx'),
    remedy: 'tsx and esbuild leave out decorator metadata; start haft without them: it loads TypeScript by itself.',
  },
];

function remedyFor(error: Error): string | undefined {
  return remedies.find(({ when }) => when(error))?.remedy;
}
