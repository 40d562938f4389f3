/** What is in a folder, some levels deep: each folder's entries in order, bounded. */
import { type NodeKind, type Workspace, quotePath } from '@haft/core';

const maxEntries = 1_000;
/** Entries listed of one folder below the first, so that one large folder does not hide the rest. */
const maxPerFolder = 200;

export interface ListedEntry {
  /** From the listed folder, with `/`. */
  path: string;
  kind: NodeKind;
  /** Excluded by a `.gitignore`: a folder of this kind is listed, not entered. */
  ignored?: true;
}

export interface ListResult {
  path: string;
  entries: ListedEntry[];
  /** Entries met, also those not listed. */
  total: number;
  /** Folders not entered because a `.gitignore` excludes them, or because they are `.git`. */
  closed: string[];
}

export async function listTree(workspace: Workspace, path: string, depth: number, signal?: AbortSignal): Promise<ListResult> {
  const entries: ListedEntry[] = [];
  const closed: string[] = [];
  const perFolder = new Map<string, number>();
  let total = 0;
  await workspace.walk(path, (entry) => {
    total++;
    const folder = entry.path.slice(0, -entry.name.length);
    const count = (perFolder.get(folder) ?? 0) + 1;
    perFolder.set(folder, count);
    if (entries.length < maxEntries && (folder === '' || count <= maxPerFolder)) {
      entries.push({ path: entry.path, kind: entry.kind, ...(entry.ignored && { ignored: true as const }) });
    }
    if (entry.kind !== 'directory' || entry.depth >= depth) return false;
    const shut = entry.ignored || entry.name === '.git';
    if (shut) closed.push(entry.path);
    return !shut;
  }, signal);
  return { path, entries, total, closed };
}

const suffixes: Readonly<Record<NodeKind, string>> = { file: '', directory: '/', link: '@', fifo: '|', socket: '=', device: '%' };

/** One entry a line: folders end in `/`, links in `@`; names that are not plain are JSON strings. */
export function formatList(result: ListResult): string {
  if (result.total === 0) return `[${quotePath(result.path)} is an empty folder.]`;
  const lines = result.entries.map((entry) => `${quotePath(entry.path)}${suffixes[entry.kind]}`);
  const notes = [result.entries.length < result.total ? `${result.entries.length} of ${result.total} entries shown; list a folder by itself, or use glob, for the rest.` : `${result.total} ${result.total === 1 ? 'entry' : 'entries'}.`];
  if (result.closed.length > 0) notes.push(`Not entered, being ignored by git: ${result.closed.slice(0, 10).map(quotePath).join(', ')}${result.closed.length > 10 ? ' …' : ''}; list them by name.`);
  return [...lines, `[${notes.join(' ')}]`].join('\n');
}
