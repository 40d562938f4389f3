/** The sandbox of this platform. */
import { createBubblewrapSandbox } from './bubblewrap.js';
import type { BubblewrapOptions } from './bubblewrap-options.js';
import type { Sandbox } from './sandbox.js';
import { createSeatbeltSandbox } from './seatbelt.js';

/** Nothing is tried yet: `probe()` says whether it works here. Elsewhere than on Linux and macOS the probe fails with its remedy. */
export function createSandbox(options: BubblewrapOptions): Sandbox {
  return process.platform === 'darwin' ? createSeatbeltSandbox(options) : createBubblewrapSandbox(options);
}
