// The files that every scaffold shares, and those of a project.
import { readTemplate } from '../config/read-template.js';
import { namesOf } from './names.js';
import { toolFiles } from './tool-template.js';
import type { Versions } from './versions.js';

/** Compiler options that decorated tools need. */
export function tsconfig(build: boolean): string {
  const options = {
    target: 'ES2022',
    lib: ['ES2023'],
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    types: ['node'],
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    useDefineForClassFields: true,
    verbatimModuleSyntax: true,
    isolatedModules: true,
    strict: true,
    skipLibCheck: true,
    ...(build ? { rootDir: 'src', outDir: 'dist', declaration: true, sourceMap: true } : { noEmit: true }),
  };
  return json({ compilerOptions: options, include: build ? ['src'] : ['**/*.ts'], exclude: ['node_modules', 'dist'] });
}

/** `haft init`: a config, a tool of its own, and its test. */
export function projectFiles(folderName: string, versions: Versions): Record<string, string> {
  const tool = namesOf('count-lines');
  const own = Object.fromEntries(Object.entries(toolFiles(tool)).map(([path, text]) => [`tools/${path}`, text]));
  return {
    'agent.config.ts': readTemplate('agent.config.ts', tool),
    '.gitignore': 'node_modules/\n.env\n',
    'tsconfig.json': tsconfig(false),
    'package.json': json({
      name: folderName,
      private: true,
      type: 'module',
      scripts: { start: 'haft', test: 'node --import @haft/cli/register --test tools/*.test.ts', check: 'tsc -p tsconfig.json' },
      dependencies: versions.project,
      devDependencies: versions.development,
    }),
    ...own,
  };
}

export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
