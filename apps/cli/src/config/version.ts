// The version that the package was published with.
import { readFileSync } from 'node:fs';
import { ownFile } from './package-folder.js';

/** The version of @haft/cli, from its package.json. */
export function readVersion(): string {
  const manifest = JSON.parse(readFileSync(ownFile('package.json'), 'utf8')) as { version: string };
  return manifest.version;
}
