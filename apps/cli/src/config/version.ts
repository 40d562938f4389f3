// The version that the package was published with.
import { readFileSync } from 'node:fs';

/** The version of @haft/cli, from its package.json. */
export function readVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };
  return manifest.version;
}
