// Writes the generated pages of docs/ from the built code: `npm run docs`.
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pages } from '../tools/docs/pages.mjs';

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs');
for (const [file, render] of Object.entries(pages)) {
  writeFileSync(join(folder, file), render());
  console.log(`docs/${file}`);
}
