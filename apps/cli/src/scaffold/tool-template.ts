// A tool and its test.
import { readTemplate } from '../config/read-template.js';
import type { Names } from './names.js';

/** `NAME.ts` and `NAME.test.ts`. */
export function toolFiles(names: Names): Record<string, string> {
  return { [`${names.kebab}.ts`]: readTemplate('tool.ts', names), [`${names.kebab}.test.ts`]: readTemplate('tool.test.ts', names) };
}
