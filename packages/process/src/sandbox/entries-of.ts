/** What a folder holds, for what is hidden from commands. */
import { type Dirent, readdirSync } from 'node:fs';

/** None of a folder that we cannot list: a command of the same user cannot read it either. */
export function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
