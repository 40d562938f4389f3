// Questions about CSV files: a plugin from a local file, with options, next to a part of the file tools.
import { defineConfig } from '@haft/cli';
import { fs } from '@haft/plugin-fs';
import { tables } from './plugin/tables.js';

export default defineConfig({
  name: 'Table clerk',
  model: 'offline',
  instructions: 'Answer questions about the tables in the data folder. Use query_table; do not read the files whole.',
  plugins: [tables({ folder: 'data', maxRows: 50 }), fs().only('read_file', 'list_dir')],
  permissions: { allow: ['read_file(data/**)'], deny: ['read_file(**/.env*)'] },
  limits: { maxTurns: 10 },
});
