// One TypeScript file to JavaScript, with decorator metadata and an inline source map.
import { type Options, transformSync } from '@swc/core';
import { stripVTControlCharacters } from 'node:util';

const options: Options = {
  configFile: false,
  swcrc: false,
  sourceMaps: 'inline',
  module: { type: 'es6' },
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
  },
};

/** Throws a SyntaxError `FILE:LINE:COLUMN: what`. */
export function compile(source: string, path: string): string {
  try {
    return transformSync(source, { ...options, filename: path }).code;
  } catch (error) {
    throw new SyntaxError(describe(error, path), { cause: error });
  }
}

/** SWC's message is a drawing of the place with its own stack below; only what and where are kept. */
function describe(error: unknown, path: string): string {
  const text = stripVTControlCharacters(error instanceof Error ? error.message : String(error));
  const what = /^\s*[x×]\s+(.+)$/m.exec(text)?.[1] ?? text.split('\n')[0];
  const place = /\[(?:.*?):(\d+:\d+)\]/.exec(text)?.[1];
  return `${path}${place === undefined ? '' : `:${place}`}: ${what}`;
}
