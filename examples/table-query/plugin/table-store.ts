// The service behind the tools: reads CSV files through the workspace, so that containment and deny patterns hold for it too.
import { ToolFailure, type Workspace } from '@haft/core';
import { parseCsv } from './parse-csv.js';

export interface Table {
  columns: string[];
  rows: Record<string, string>[];
}

export class TableStore {
  constructor(
    private readonly workspace: Workspace,
    readonly options: { readonly folder: string; readonly maxRows: number },
  ) {}

  /** Names of the tables, sorted. */
  async names(): Promise<string[]> {
    const { entries } = await this.workspace.list(this.options.folder);
    return entries.flatMap(({ name }) => (name.endsWith('.csv') ? [name.slice(0, -'.csv'.length)] : [])).sort();
  }

  /** Throws a ToolFailure that lists the tables there are. */
  async read(name: string): Promise<Table> {
    const names = await this.names();
    if (!names.includes(name)) throw new ToolFailure('not_found', `There is no table ${JSON.stringify(name)}. Tables: ${names.join(', ')}.`);
    const [columns = [], ...records] = parseCsv((await this.workspace.readFile(this.pathOf(name))).toString('utf8'));
    const rows = records.map((record) => Object.fromEntries(columns.map((column, index) => [column, record[index] ?? ''])));
    return { columns, rows };
  }

  pathOf(name: string): string {
    return `${this.options.folder}/${name}.csv`;
  }
}
