// The rules of the architecture as tables. Paths are from the root; `*` stands for any text without a slash, `**` for any text.

/** Workspace packages that a package's source may import. A package that is not named here may import nothing of the workspace. */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  'packages/core': [],
  'packages/agent': ['@haft/core'],
  'packages/openai': ['@haft/agent', '@haft/core'],
  'packages/anthropic': ['@haft/agent', '@haft/core'],
  'packages/offline': ['@haft/agent', '@haft/core'],
  'packages/process': ['@haft/core'],
};

/** Groups with one answer for every member; apps may import everything. */
export const groupMayImport: Readonly<Record<string, readonly string[]>> = {
  plugins: ['@haft/core', '@haft/process'],
};

/** Modules that only some files may import as values. */
export const gateways: readonly { readonly modules: RegExp; readonly files: readonly string[]; readonly why: string }[] = [
  {
    modules: /^typedi$/,
    files: ['packages/core/src/plugin/service-container.ts'],
    why: 'one file knows the container, with what typedi lacks added',
  },
  {
    modules: /^reflect-metadata$/,
    files: ['packages/core/src/tool/tool-metadata.ts', 'packages/core/src/index.ts', 'apps/*/src/main.ts'],
    why: 'metadata has one reader; it must be loaded before any decorated file',
  },
  { modules: /^openai(\/|$)/, files: ['packages/openai/src/**'], why: 'a vendor is known to its adapter alone' },
  { modules: /^@anthropic-ai\//, files: ['packages/anthropic/src/**'], why: 'a vendor is known to its adapter alone' },
  { modules: /^child_process$/, files: ['packages/process/src/**'], why: 'there is one way to start a child process' },
  {
    modules: /^fs(\/promises)?$/,
    files: [
      'packages/core/src/workspace/**',
      'packages/core/src/call/spill-store.ts',
      'packages/core/src/permission/audit-log*.ts',
      'packages/core/src/permission/grant-store*.ts',
      'packages/core/src/permission/file-lock.ts',
      'packages/core/src/permission/private-file.ts',
      'packages/core/src/testing/**',
      'packages/process/src/**',
      'packages/agent/src/session/**',
      'packages/agent/src/testing/**',
      'apps/web/src/server/page-files.ts',
      'apps/cli/src/config/**',
      'apps/cli/src/loader/**',
    ],
    why: 'files are touched through the workspace; the others keep their own state or read what the user configured',
  },
];

/** Uses in code that only some files may contain. */
export const onlyIn: readonly { readonly code: RegExp; readonly files: readonly string[]; readonly why: string }[] = [
  {
    code: /\bReflect\s*\.\s*(getMetadata|getOwnMetadata|defineMetadata|hasMetadata|hasOwnMetadata|deleteMetadata|metadata)\b/,
    files: ['packages/core/src/tool/tool-metadata.ts'],
    why: 'Reflect metadata has one reader',
  },
];

/** Files that import no Node module at all, not even for types. */
export const withoutNode: readonly string[] = ['packages/agent/src/loop/**'];

export function matches(path: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => toRegExp(pattern).test(path));
}

function toRegExp(pattern: string): RegExp {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/\*\*|\*/g, (star) => (star === '**' ? '.*' : '[^/]*'))}$`);
}
