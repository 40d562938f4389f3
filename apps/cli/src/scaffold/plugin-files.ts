// `haft new plugin NAME`: an npm package that others can install. Core is a peer dependency, so that there is never a second copy.
import { readTemplate } from '../config/read-template.js';
import type { Names } from './names.js';
import { json, tsconfig } from './project-files.js';
import { toolFiles } from './tool-template.js';
import type { Versions } from './versions.js';

export function pluginFiles(names: Names, versions: Versions): Record<string, string> {
  const own = Object.fromEntries(Object.entries(toolFiles(names)).map(([path, text]) => [`src/${path}`, text]));
  return {
    'package.json': manifest(names, versions),
    'tsconfig.json': tsconfig(false),
    'tsconfig.build.json': json({ ...JSON.parse(tsconfig(true)) as object, exclude: ['src/**/*.test.ts'] }),
    'README.md': readTemplate('plugin-readme.md', names),
    '.gitignore': 'node_modules/\ndist/\n',
    'src/index.ts': readTemplate('plugin-index.ts', names),
    ...own,
  };
}

function manifest({ kebab, snake }: Names, versions: Versions): string {
  return json({
    name: `haft-plugin-${kebab}`,
    version: '0.1.0',
    description: 'A plugin for Haft.',
    type: 'module',
    keywords: ['haft-plugin'],
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' }, './package.json': './package.json' },
    files: ['dist'],
    haft: { plugin: './dist/index.js', core: versions.core, scopes: ['read'], tools: [snake] },
    scripts: { test: 'node --import @haft/cli/register --test src/*.test.ts', check: 'tsc -p tsconfig.json', build: 'tsc -p tsconfig.build.json', prepack: 'npm run build' },
    peerDependencies: { '@haft/core': versions.core, 'class-validator': '^0.15.1' },
    devDependencies: { ...versions.plugin, ...versions.development },
  });
}
