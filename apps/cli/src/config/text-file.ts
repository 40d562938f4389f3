// A text in a file of its own, readable by its owner alone, for as long as another program works on it.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What the file holds afterwards. Rejects with an error of the system, or with what `work` throws; the file is gone in any case. */
export async function throughFile(text: string, fileName: string, work: (path: string) => Promise<void>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'haft-edit-'));
  try {
    const path = join(folder, fileName);
    await writeFile(path, text, { mode: 0o600 });
    await work(path);
    return await readFile(path, 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
