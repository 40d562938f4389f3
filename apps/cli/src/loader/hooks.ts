// Node's module hooks for TypeScript: decorators with their metadata, which Node's type stripping, tsx and esbuild leave out.
// Node calls these in its loader thread (module.register) or in place (module.registerHooks); the same functions serve both.
import { fileURLToPath } from 'node:url';
import { readRegularFile, requireRegularFile } from '../config/regular-file.js';
import { compile } from './compile.js';
import { rewriteImport } from './resolve-source.js';

interface ResolveContext {
  parentURL?: string | undefined;
}

type Next<Context> = (specifier: string, context: Context) => unknown;

/** Hands the import on as `rewriteImport` gives it. */
export function resolve<Context extends ResolveContext>(specifier: string, context: Context, next: Next<Context>): unknown {
  const rewritten = rewriteImport(specifier, context.parentURL);
  return next(rewritten.specifier, { ...context, parentURL: rewritten.parentURL });
}

/** Compiles .ts and .mts; everything else is Node's, when it is a file. */
export function load<Context>(url: string, context: Context, next: Next<Context>): unknown {
  if (!url.startsWith('file:')) return next(url, context);
  const path = fileURLToPath(url);
  if (/\.m?ts$/.test(path)) return { format: 'module', source: compile(readRegularFile(path), path), shortCircuit: true };
  requireRegularFile(path);
  return next(url, context);
}
