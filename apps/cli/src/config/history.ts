// The lines typed before, of one folder: newest first in memory, oldest first in the file, readable by its owner alone.
import { appendFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { ensureFolder, stateFolder } from './paths.js';
import { readRegularFile } from './regular-file.js';

const kept = 1_000;

/** The file of a folder's history. */
function historyPath(root: string): string {
  return join(ensureFolder(stateFolder()), 'history', `${createHash('sha256').update(root).digest('hex').slice(0, 16)}.jsonl`);
}

/** Newest first. A file that cannot be read is an empty history. */
export function loadHistory(root: string): string[] {
  let text: string;
  try {
    text = readRegularFile(historyPath(root));
  } catch {
    return [];
  }
  const lines = text.split('\n').flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return typeof value === 'string' ? [value] : [];
    } catch {
      return []; // A torn or foreign line is no history.
    }
  });
  return lines.slice(-kept).reverse();
}

/** Adds one line. */
export function appendHistory(root: string, line: string): void {
  const path = historyPath(root);
  ensureFolder(dirname(path));
  appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
}
