// Which names count as those of files with secrets, and that the page for users has all of them.
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { exampleWords, isSecretPath, secretEndings, secretFolders, secretNames, secretPlaces } from './secret-files.js';

test.each([
  '.env', '.env.local', '.env.production', '.ENV', 'a/b/.env', '.envrc', 'prod.env', 'docker.env.local', '.env.example.local', '.env.d/x', 'id_rsa', 'deploy/ID_ED25519', 'server.pem', 'a.b.key', 'release.keystore',
  '.npmrc', 'sub/.netrc', 'config/credentials.json', 'secrets.yaml', '.ssh/known_hosts', 'home/.ssh/config', '.gnupg/a/b', '.aws/config', '.docker/config.json', '.config/gh/hosts.yml', '.bash_history', '/abs/.env', '.local/state/haft/audit.key',
])('%s', (path) => {
  expect(isSecretPath(path)).toBe(true);
});

test.each([
  '.', 'a.txt', '.env.example', '.env.sample', '.env.template', '.env.local.example', '.env.dist', 'example.env', 'env', 'src/env.ts', 'jest.env.ts', 'environment.ts', 'id_rsa.pub', 'key', 'pem', 'keys/a.ts', 'src/secrets.ts',
  'sub/.aws/task.json', '.docker/php/Dockerfile', '.github/workflows/ci.yml', 'monkey', 'a.pemx', '.local/state/haft/spill/call-1.txt', '/home/u/.local/state/other/x',
])('not %s', (path) => {
  expect(isSecretPath(path)).toBe(false);
});

test('docs/permissions.md lists them all', () => {
  const page = readFileSync(new URL('../../../../docs/permissions.md', import.meta.url), 'utf8');
  const [, section = ''] = /^## What usually holds secrets\n(.*?)^## /ms.exec(page) ?? [];
  const listed = new Set([...section.matchAll(/`([^`]+)`/g)].map((match) => match[1]));
  const wanted = [...secretNames, ...secretEndings.map((ending) => `*.${ending}`), ...[...secretFolders, ...secretPlaces].map((path) => (path.endsWith('.json') ? path : `${path}/`)), ...exampleWords.map((word) => `.env.${word}`)];
  expect(wanted.filter((name) => !listed.has(name))).toEqual([]);
});
