// The files that a config consists of: itself and what it imports by relative path. Their hash is what trust is given to.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { isRegularFile } from '../config/regular-file.js';
import { sourceFileFor } from './resolve-source.js';

const relativeImport = /(?:\bfrom|\bimport)\s*\(?\s*(['"])(\.{1,2}\/[^'"\n]+)\1/g;

/** `entry` and every file that it reaches over relative imports, absolute, sorted. Files that do not exist are left out. */
export function sourceGraph(entry: string): string[] {
  const seen = new Set<string>();
  const open = [resolve(entry)];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path) || !isRegularFile(path)) continue;
    seen.add(path);
    for (const [, , specifier = ''] of readFileSync(path, 'utf8').matchAll(relativeImport)) {
      const target = resolve(dirname(path), specifier);
      open.push(sourceFileFor(target) ?? target);
    }
  }
  return [...seen].sort();
}

/** sha256 (hex) over names and contents of the graph. */
export function hashOfSources(entry: string): string {
  const hash = createHash('sha256');
  for (const path of sourceGraph(entry)) {
    const content = readFileSync(path);
    hash.update(`${relative(dirname(entry), path)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}
