// A query on one table: filters (a tagged union), an order (a nested class), the columns wanted.
import { Param, Tool, ToolFailure } from '@haft/core';
import { IsInt, Max, Min } from 'class-validator';
import { Between, Contains, Equals, type Filter } from './filter.js';
import { type Table, TableStore } from './table-store.js';

export class Order {
  @Param('Column to sort by')
  column!: string;

  @Param('Largest first')
  descending: boolean = false;
}

@Tool('Select rows of a table. Call list_tables first for names and columns.', {
  name: 'query_table',
  scopes: ['read'],
  idempotent: true,
  examples: [{ table: 'orders', filters: [{ op: 'between', column: 'total', from: 100, to: 500 }], order: { column: 'total', descending: true } }],
})
export class QueryTable {
  @Param('Name of the table')
  table!: string;

  @Param('Rows must meet all of these', { oneOf: () => [Equals, Contains, Between], discriminator: 'op' })
  filters: Filter[] = [];

  @Param('The order of the rows; as in the file when left out', { optional: true })
  order?: Order;

  @Param('Columns to return; all when left out', { type: () => String })
  columns: string[] = [];

  @Param('Most rows') @IsInt() @Min(1) @Max(1_000)
  limit: number = 20;

  constructor(private readonly store: TableStore) {}

  access() {
    return [{ kind: 'path' as const, mode: 'read' as const, value: this.store.pathOf(this.table) }];
  }

  async execute() {
    const table = await this.store.read(this.table);
    requireColumns(table, [...this.filters.map(({ column }) => column), ...this.columns, ...(this.order ? [this.order.column] : [])]);
    const found = table.rows.filter((row) => this.filters.every((filter) => filter.fits(row[filter.column] ?? '')));
    const rows = this.sorted(found).slice(0, Math.min(this.limit, this.store.options.maxRows));
    return { matched: found.length, rows: this.columns.length === 0 ? rows : rows.map((row) => pick(row, this.columns)) };
  }

  private sorted(rows: Record<string, string>[]): Record<string, string>[] {
    const { order } = this;
    if (order === undefined) return rows;
    const direction = order.descending ? -1 : 1;
    return rows.toSorted((a, b) => direction * compare(a[order.column] ?? '', b[order.column] ?? ''));
  }
}

function requireColumns(table: Table, wanted: readonly string[]): void {
  const unknown = wanted.filter((column) => !table.columns.includes(column));
  if (unknown.length > 0) throw new ToolFailure('invalid_arguments', `There is no column ${unknown.join(', ')}. Columns: ${table.columns.join(', ')}.`);
}

function pick(row: Record<string, string>, columns: readonly string[]): Record<string, string> {
  return Object.fromEntries(columns.map((column) => [column, row[column] ?? '']));
}

/** Numbers as numbers, everything else as text. */
function compare(a: string, b: string): number {
  const difference = Number(a) - Number(b);
  return Number.isNaN(difference) || a === '' || b === '' ? a.localeCompare(b) : difference;
}
