/**
 * Which files usually hold secrets, by their names: the one list, for the policy (asked before they are opened), for searches (left out)
 * and for the sandbox of commands (hidden). Names are compared without regard to case. Imports nothing, so that anyone can import it.
 */

/** Names of files, anywhere. */
export const secretNames: readonly string[] = [
  '.envrc', '.npmrc', '.netrc', '_netrc', '.pypirc', '.git-credentials', '.pgpass', '.my.cnf', '.htpasswd', '.dockercfg', '.s3cfg', '.boto', '.databrickscfg', '.vault-token', '.terraformrc',
  'id_rsa', 'id_dsa', 'id_ecdsa', 'id_ed25519', 'id_ecdsa_sk', 'id_ed25519_sk',
  'credentials', 'credentials.json', 'credentials.toml', 'client_secret.json', 'service-account.json', 'service_account.json', 'secrets.json', 'secrets.yml', 'secrets.yaml', 'secrets.toml',
  '.bash_history', '.zsh_history', '.sh_history', '.python_history', '.node_repl_history', '.psql_history', '.mysql_history', '.sqlite_history', '.rediscli_history',
];

/** Ends of names, after the last dot: keys, and stores of keys or passwords. */
export const secretEndings: readonly string[] = ['pem', 'key', 'p8', 'p12', 'pfx', 'jks', 'keystore', 'ppk', 'kdbx', 'agekey'];

/** Folders of which everything counts, anywhere. */
export const secretFolders: readonly string[] = ['.ssh', '.gnupg', '.password-store'];

/** Places in somebody's home, where that is the workspace: files, or folders of which everything counts. From the root. */
export const secretPlaces: readonly string[] = [
  '.aws', '.azure', '.kube', '.docker/config.json', '.config/gcloud', '.config/gh', '.config/haft', '.local/state/haft',
];

/** Not a secret in spite of its place: results that were too long for the model are read from here. */
const free = '.local/state/haft/spill/';

/** The last part of a name that says that no real values are inside: `.env.example`, `.env.local.sample`. */
export const exampleWords: readonly string[] = ['example', 'sample', 'template', 'dist', 'defaults', 'schema'];

/** What a deployment's own settings are named after: `docker.env.local`. */
const stages = new Set(['local', 'production', 'prod', 'development', 'dev', 'staging', 'test']);

const names = new Set(secretNames);
const endings = new Set(secretEndings);
const folders = new Set(secretFolders);
const examples = new Set(exampleWords);

/** Whether a file of this name, without folders, usually holds secrets: `.env.local`, `prod.env`, `server.key`. */
function isSecretFileName(name: string): boolean {
  const plain = name.toLowerCase();
  if (names.has(plain)) return true;
  const dot = plain.lastIndexOf('.');
  return dot !== -1 && (endings.has(plain.slice(dot + 1)) || isEnvironment(plain, dot));
}

/** `.env…`, `NAME.env`, `NAME.env.local`; neither `.env.example` nor `example.env`, and no source text such as `jest.env.ts`. */
function isEnvironment(plain: string, dot: number): boolean {
  if (plain.endsWith('.env')) return !examples.has(plain.slice(0, dot));
  const last = plain.slice(dot + 1);
  return plain.startsWith('.env') ? !examples.has(last) : plain.slice(0, dot).endsWith('.env') && stages.has(last);
}

/** Whether everything in a folder of this name usually is secret. */
function isSecretFolderName(name: string): boolean {
  const plain = name.toLowerCase();
  return folders.has(plain) || (plain.startsWith('.env') && !examples.has(plain.slice(plain.lastIndexOf('.') + 1)));
}

/** Whether a path, from the workspace's root or absolute, with `/`, names such a file or leads into such a folder or place. */
export function isSecretPath(path: string): boolean {
  if (isSecretFileName(path.slice(path.lastIndexOf('/') + 1))) return true;
  if (!path.startsWith('.') && !path.includes('/.')) return false;
  if (path.split('/').some(isSecretFolderName)) return true;
  const plain = `${path.toLowerCase()}/`;
  return secretPlaces.some((place) => plain.startsWith(`${place}/`)) && !plain.startsWith(free);
}
