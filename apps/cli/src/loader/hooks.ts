// Node's module hooks for TypeScript: decorators with their metadata, which Node's type stripping, tsx and esbuild leave out.
// Node calls these in its loader thread (module.register) or in place (module.registerHooks); the same functions serve both.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
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

/** Compiles .ts and .mts; everything else is Node's. */
export function load<Context>(url: string, context: Context, next: Next<Context>): unknown {
  if (!url.startsWith('file:') || !/\.m?ts$/.test(new URL(url).pathname)) return next(url, context);
  const path = fileURLToPath(url);
  return { format: 'module', source: compile(readFileSync(path, 'utf8'), path), shortCircuit: true };
}
