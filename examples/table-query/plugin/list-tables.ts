// What tables there are.
import { Tool } from '@haft/core';
import { TableStore } from './table-store.js';

@Tool('List the tables and their columns.', { name: 'list_tables', scopes: ['read'], idempotent: true })
export class ListTables {
  constructor(private readonly store: TableStore) {}

  access() {
    return [{ kind: 'path' as const, mode: 'read' as const, value: this.store.options.folder }];
  }

  async execute() {
    const names = await this.store.names();
    return Promise.all(names.map(async (name) => ({ name, columns: (await this.store.read(name)).columns })));
  }
}
