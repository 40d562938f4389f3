/** Opens and reads files of the store only when they are files: a pipe or a device in their place would be waited for without end. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { forgetLastStat } from '@haft/core';

/** A descriptor. Throws the system's error, or one with the code `ENOTFILE`. */
export function openRegular(path: string, flags: number, mode?: number): number {
  const fd = openSync(path, flags | (constants.O_NONBLOCK ?? 0), mode);
  const stat = fstatSync(fd);
  if (stat.isFile() || stat.isDirectory()) return fd;
  closeSync(fd);
  forgetLastStat();
  throw Object.assign(new Error('it is a pipe, a device or a socket, and no file; move it away'), { code: 'ENOTFILE' });
}

/** All of it. Throws as `openRegular` does; `EISDIR` for a folder. */
export function readRegular(path: string): Buffer {
  const fd = openRegular(path, constants.O_RDONLY);
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}
