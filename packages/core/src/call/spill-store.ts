/** Keeps the whole of an output that was cut in a file of its session, where `read_file` can reach it. */
import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SpillStore } from './format-result.js';

export interface FileSpillStore extends SpillStore {
  /** Removes what was kept for a session. */
  forget(sessionId: string): Promise<void>;
}

/** One file is cut here; UTF-16 code units. */
const maxChars = 64 * 1024 * 1024;

/**
 * Files `FOLDER/SESSION/CALL.txt`, folders 0700, files 0600. `folder` is absolute; give it to the workspace as an extra root for reading.
 * Saving rejects with the system's error; the result is then shown without a place for the rest.
 */
export function createSpillStore(folder: string): FileSpillStore {
  return {
    async save(text, { sessionId, callId }) {
      const session = join(folder, fileName(sessionId));
      await mkdir(session, { recursive: true, mode: 0o700 });
      const path = join(session, `${fileName(callId)}.txt`);
      await writeFile(path, text.length > maxChars ? text.slice(0, maxChars) : text, { mode: 0o600 });
      return path;
    },
    async forget(sessionId) {
      await rm(join(folder, fileName(sessionId)), { recursive: true, force: true });
    },
  };
}

/** An id as one path segment; ids that needed changing, or are too long, get a digest so that two stay two. */
function fileName(id: string): string {
  const plain = id.replace(/[^A-Za-z0-9_-]/g, '-').slice(0, 80);
  return plain === id && plain !== '' ? plain : `${plain}-${createHash('sha256').update(id).digest('hex').slice(0, 12)}`;
}
