// The research assistant: reads a project, lists its open points, drafts commit messages. It can change nothing.
import { defineConfig } from '@haft/cli';
import { fs } from '@haft/plugin-fs';
import { research } from './plugin/research.js';

export default defineConfig({
  name: 'Research assistant',
  model: 'offline',
  instructions: 'You help to understand a project. Say where each fact comes from, as path:line.',
  plugins: [research(), fs().only('read_file', 'glob', 'grep', 'list_dir')],
  permissions: { mode: 'read-only', deny: ['read_file(**/.env*)'] },
  limits: { maxTurns: 20 },
});
