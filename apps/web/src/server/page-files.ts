/** The page's files, each under a fixed path: a request's path is looked up in the table and never becomes a file's name. */
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

interface PageFile {
  file: string;
  type: string;
}

const require = createRequire(import.meta.url);
/** This package: its compiled page and its sources lie in fixed places below it. */
const home = dirname(require.resolve('@haft/web/package.json'));

const html = 'text/html; charset=utf-8';
const script = 'text/javascript; charset=utf-8';
const style = 'text/css; charset=utf-8';

let table: Map<string, PageFile> | undefined;
const contents = new Map<string, Uint8Array<ArrayBuffer>>();

/** Undefined for a path that is not in the table. */
export function pageFile(path: string): Response | undefined {
  table ??= filesOfThePage();
  const entry = table.get(path);
  if (!entry) return undefined;
  let bytes = contents.get(path);
  if (!bytes) {
    bytes = new Uint8Array(readFileSync(entry.file));
    contents.set(path, bytes);
  }
  return new Response(bytes, { headers: { 'content-type': entry.type, 'cache-control': 'no-cache' } });
}

function filesOfThePage(): Map<string, PageFile> {
  const scripts = join(home, 'dist', 'page');
  const own = readdirSync(scripts, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  return new Map([
    ['/', { file: join(home, 'src', 'page', 'index.html'), type: html }],
    ['/page.css', { file: join(home, 'src', 'page', 'page.css'), type: style }],
    ...own.map((name): [string, PageFile] => [`/${name.replaceAll('\\', '/')}`, { file: join(scripts, name), type: script }]),
    ['/vendor/marked.js', { file: join(dirname(require.resolve('marked')), 'marked.esm.js'), type: script }],
    ['/vendor/highlight.js', { file: require.resolve('@highlightjs/cdn-assets/es/highlight.min.js'), type: script }],
  ]);
}
