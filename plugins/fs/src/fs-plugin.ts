/** The plugin value: `fs()` in agent.config.ts. The host provides `Workspace` and `ProcessRunner`. */
import { definePlugin } from '@haft/core';
import { ChangeHistory } from './edit/change-history.js';
import { EditFile } from './edit/edit-file.js';
import { FsOptions } from './fs-options.js';
import { Glob } from './glob/glob.js';
import { Grep } from './grep/grep.js';
import { ListDir } from './list/list-dir.js';
import { ReadFile } from './read/read-file.js';
import { WriteFile } from './write/write-file.js';

export type FsToolName = 'read_file' | 'write_file' | 'edit_file' | 'glob' | 'grep' | 'list_dir';

export const fs = definePlugin<FsOptions, FsToolName>({
  name: 'fs',
  options: FsOptions,
  tools: [ReadFile, WriteFile, EditFile, Glob, Grep, ListDir],
  services: (options) => [ChangeHistory, { provide: FsOptions, useValue: options }],
});
