// The texts of scaffolds, from the folder `templates` of this package; `{{name}}` stands for a spelling of the name.
import { readFileSync } from 'node:fs';
import type { Names } from '../scaffold/names.js';
import { ownFile } from './package-folder.js';

export type TemplateName = 'agent.config.ts' | 'plugin-index.ts' | 'plugin-readme.md' | 'tool.ts' | 'tool.test.ts';

export function readTemplate(template: TemplateName, names: Names): string {
  const text = readFileSync(ownFile('templates', `${template}.txt`), 'utf8');
  return text.replace(/\{\{(kebab|snake|pascal|camel|purpose)\}\}/g, (_, spelling: keyof Names) => names[spelling]);
}
