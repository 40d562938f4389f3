// `haft init`, `haft new plugin NAME`, `haft new tool NAME`. Nothing that exists is overwritten.
import { basename, join } from 'node:path';
import { findProjectConfig } from '../config/load-config.js';
import { readPackage } from '../config/read-package.js';
import { readText } from '../config/read-text.js';
import { workingDirectory } from '../config/resolve-settings.js';
import { rememberTrust } from '../config/trust.js';
import { fileExists, writeNewFiles } from '../config/write-new-files.js';
import { type ExitCode, exitCode } from '../exit-code.js';
import type { Terminal } from '../output/terminal.js';
import { namesOf } from '../scaffold/names.js';
import { pluginFiles } from '../scaffold/plugin-files.js';
import { projectFiles } from '../scaffold/project-files.js';
import { toolFiles } from '../scaffold/tool-template.js';
import { currentVersions, type Versions } from '../scaffold/versions.js';
import type { Invocation } from './program.js';

/** A package.json, tsconfig.json or .gitignore that is there is kept; what it needs is said. Code that haft wrote itself is agreed to. */
export async function initProject({ flags, terminal }: Invocation): Promise<ExitCode> {
  const folder = workingDirectory(flags.cwd);
  const versions = currentVersions();
  const files = projectFiles(packageName(basename(folder)), versions);
  const kept = ['package.json', 'tsconfig.json', '.gitignore'].filter((name) => fileExists(join(folder, name)));
  for (const name of kept) delete files[name];
  told(writeNewFiles(folder, files), folder, terminal);
  rememberTrust(join(folder, 'agent.config.ts'));
  if (kept.includes('package.json')) {
    terminal.note(`package.json was kept. It needs "type": "module" and: npm install ${installable(versions).join(' ')}`);
  }
  if (kept.includes('tsconfig.json')) terminal.note('tsconfig.json was kept. It needs experimentalDecorators and emitDecoratorMetadata.');
  tellOfClone(versions, terminal);
  terminal.note('Next: npm install, then npx haft doctor');
  return Promise.resolve(exitCode.done);
}

export async function newPlugin(name: string, { flags, terminal }: Invocation): Promise<ExitCode> {
  const names = namesOf(name.replace(/^haft-plugin-/, ''));
  const folder = join(workingDirectory(flags.cwd), `haft-plugin-${names.kebab}`);
  const versions = currentVersions();
  told(writeNewFiles(folder, pluginFiles(names, versions)), folder, terminal);
  tellOfClone(versions, terminal);
  terminal.note(`Next: cd haft-plugin-${names.kebab}, npm install, npm test; then write into src/${names.kebab}.ts what the tool does (its first form counts lines)`);
  return Promise.resolve(exitCode.done);
}

export async function newTool(name: string, { flags, terminal }: Invocation): Promise<ExitCode> {
  const names = namesOf(name);
  const root = workingDirectory(flags.cwd);
  const inPlugin = readPackage(root)?.haft !== undefined;
  const folder = join(root, inPlugin ? 'src' : 'tools');
  told(writeNewFiles(folder, toolFiles(names)), folder, terminal);
  terminal.note(`${names.pascal} counts lines for now: write what it does, and its description, which the model reads.`);
  terminal.note(inPlugin ? `Next: add ${names.pascal} to the plugin's tools in src/index.ts, and "${names.snake}" to "haft.tools" in package.json.` : `Next, in agent.config.ts:\n${await usage(names, root)}`);
  return exitCode.done;
}

/** A plugin is listed once: where the config has `own`, as `haft init` writes it, the tool is added to that one. */
async function usage({ pascal, kebab, snake }: ReturnType<typeof namesOf>, root: string): Promise<string> {
  const path = findProjectConfig(root);
  const has = path !== undefined && /\bname:\s*['"]own['"]/.test(await readText(path));
  const line = `  import { ${pascal} } from './tools/${kebab}.js';\n`;
  if (has) return `${line}  add ${pascal} to the tools of the plugin 'own', and its name to the type: definePlugin<object, … | '${snake}'>({ name: 'own', tools: [ …, ${pascal}] })`;
  return `${line}  plugins: [ …, definePlugin({ name: 'own', tools: [${pascal}] })() ]`;
}

/** What `npm install` takes: names, or folders of the clone. */
function installable({ project }: Versions): string[] {
  return Object.entries(project).map(([name, range]) => (range.startsWith('file:') ? `'${range}'` : name));
}

function tellOfClone({ clone }: Versions, terminal: Terminal): void {
  if (clone === undefined) return;
  terminal.note(`package.json takes the @haft packages from ${clone} (file:…), because this haft runs from there: leave that folder where it is.`);
}

function told(paths: readonly string[], folder: string, terminal: Terminal): void {
  terminal.note(`In ${folder}:`);
  for (const path of paths) terminal.note(`  ${path}`);
}

function packageName(folder: string): string {
  const name = folder.toLowerCase().replace(/[^a-z0-9._-]+/g, '-').replace(/^[._-]+/, '');
  return name === '' ? 'my-agent' : name;
}
