/** The page's files, each under a fixed path: a request's path is looked up in the table and never becomes a file's name. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface PageFile {
  file: string;
  type: string;
}

const html = 'text/html; charset=utf-8';
const script = 'text/javascript; charset=utf-8';
const style = 'text/css; charset=utf-8';

const own = (path: string): string => fileURLToPath(new URL(`../page/${path}`, import.meta.url));

const files = new Map<string, PageFile>([
  ['/', { file: own('index.html'), type: html }],
  ['/page.css', { file: own('page.css'), type: style }],
  ['/main.js', { file: own('main.js'), type: script }],
]);

const cache = new Map<string, Response>();

/** Undefined for a path that is not in the table. */
export function pageFile(path: string): Response | undefined {
  const entry = files.get(path);
  if (!entry) return undefined;
  let known = cache.get(path);
  if (!known) {
    known = new Response(readFileSync(entry.file), { headers: { 'content-type': entry.type, 'cache-control': 'no-cache' } });
    cache.set(path, known);
  }
  return known.clone();
}
