// The plugin: its options, the service made from them, and the tools that use the service.
import { definePlugin, Param, Workspace } from '@haft/core';
import { IsInt, Max, Min } from 'class-validator';
import { ListTables } from './list-tables.js';
import { QueryTable } from './query-table.js';
import { TableStore } from './table-store.js';

export class TableOptions {
  @Param('Folder with the CSV files, in the workspace')
  folder: string = '.';

  @Param('Most rows that one query returns') @IsInt() @Min(1) @Max(1_000)
  maxRows: number = 100;
}

export const tables = definePlugin({
  name: 'tables',
  options: TableOptions,
  tools: [ListTables, QueryTable],
  services: (options: TableOptions) => [{ provide: TableStore, useFactory: (services) => new TableStore(services.get(Workspace), options) }],
});
