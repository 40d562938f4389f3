// A commit message from what changed: https://www.conventionalcommits.org, by the kind and the place of the files.

export interface Change {
  /** git's letter: A added, M changed, D deleted, R renamed. */
  status: string;
  path: string;
  added: number;
  removed: number;
}

const kinds: readonly { type: string; pattern: RegExp }[] = [
  { type: 'test', pattern: /(^|\/)(tests?|__tests__)\/|\.(test|spec)\.[a-z]+$/ },
  { type: 'docs', pattern: /\.(md|txt|rst)$|(^|\/)docs\// },
  { type: 'ci', pattern: /^\.(github|ci)\// },
  { type: 'build', pattern: /(^|\/)(package(-lock)?\.json|pnpm-lock\.yaml|tsconfig.*\.json)$/ },
];

/** Subject of at most 72 characters, an empty line, one line per file. */
export function draftMessage(changes: readonly Change[], why?: string): string {
  const scope = commonFolder(changes.map(({ path }) => path));
  const subject = `${typeOf(changes)}${scope === '' ? '' : `(${scope})`}: ${why ?? summaryOf(changes)}`;
  const cut = subject.length <= 72 ? subject : `${subject.slice(0, 71)}…`;
  return [cut, '', ...changes.map(({ status, path, added, removed }) => `- ${verbOf(status)} ${path} (+${added} -${removed})`)].join('\n');
}

function typeOf(changes: readonly Change[]): string {
  const types = new Set(changes.map(({ path, status }) => kinds.find(({ pattern }) => pattern.test(path))?.type ?? (status === 'A' ? 'feat' : 'change')));
  for (const type of ['feat', 'change']) if (types.has(type)) return type === 'feat' ? 'feat' : 'refactor';
  return [...types][0] ?? 'chore';
}

function commonFolder(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => path.split('/').slice(0, -1));
  const length = first.findIndex((part, index) => others.some((other) => other[index] !== part));
  return (length < 0 ? first : first.slice(0, length)).at(-1) ?? '';
}

function summaryOf(changes: readonly Change[]): string {
  const [only] = changes;
  if (changes.length === 1 && only !== undefined) return `${verbOf(only.status)} ${only.path.split('/').at(-1) ?? only.path}`;
  const verbs = new Set(changes.map(({ status }) => verbOf(status)));
  return `${verbs.size === 1 ? [...verbs][0] : 'change'} ${changes.length} files`;
}

function verbOf(status: string): string {
  return { A: 'add', D: 'remove', R: 'rename' }[status] ?? 'change';
}
