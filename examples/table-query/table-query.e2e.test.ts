// The example run as a user runs it: nested and tagged-union parameters arrive as instances, the service has its options.
import { afterAll, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HaftHome } from '../../apps/cli/test/haft-process.js';
import { parseCsv } from './plugin/parse-csv.js';

const haft = new HaftHome();
afterAll(() => haft.remove());
const inExample = ['--trust', '--cwd', `${process.cwd()}/examples/table-query`];

async function query(args: object): Promise<{ status: string; code?: string; data?: { matched: number; rows: object[] }; error?: string; details?: object[] }> {
  const { stdout } = await haft.run([...inExample, 'tools', 'call', 'query_table', JSON.stringify(args), '--json']);
  return JSON.parse(stdout) as Awaited<ReturnType<typeof query>>;
}

test('filters of different kinds, an order and chosen columns', async () => {
  const filters = [{ op: 'between', column: 'total', from: 50, to: 700 }, { op: 'contains', column: 'customer', text: 'E' }];
  const { data } = await query({ table: 'orders', filters, order: { column: 'total', descending: true }, columns: ['customer', 'total'] });
  expect(data).toEqual({ matched: 3, rows: [{ customer: 'Chen', total: '640.00' }, { customer: 'Eco, Ltd', total: '310.00' }, { customer: 'Adler', total: '120.50' }] });
});

test('a filter of no known kind is refused by its tag', async () => {
  const { code, error } = await query({ table: 'orders', filters: [{ op: 'matches', column: 'total' }] });
  expect(code).toBe('invalid_arguments');
  expect(error).toMatch(/filters.*op|filters.*equals/s);
});

test('an unknown table or column is named with those there are', async () => {
  expect(await query({ table: 'invoices' })).toMatchObject({ code: 'not_found', error: expect.stringContaining('customers, orders') });
  expect(await query({ table: 'orders', columns: ['sum'] })).toMatchObject({ status: 'error', error: expect.stringContaining('id, customer, country') });
});

test('the model is shown a union with its tag, and only the file tools that the config chose', async () => {
  const { stdout } = await haft.run([...inExample, 'tools', 'list', '--format', 'json']);
  const tools = JSON.parse(stdout) as { name: string; parameters: object }[];
  expect(tools.map(({ name }) => name)).toEqual(['list_tables', 'query_table', 'read_file', 'list_dir']);
  expect(JSON.stringify(tools.find(({ name }) => name === 'query_table')?.parameters)).toMatch(/"(one|any)Of".*"equals".*"contains".*"between"/);
});

test('wrong options stop the start and name the option', async () => {
  const config = join(haft.folder, 'agent.config.ts');
  writeFileSync(
    config,
    `import { defineConfig } from '@haft/cli';
import { tables } from '${process.cwd()}/examples/table-query/plugin/tables.js';
export default defineConfig({ model: 'offline', plugins: [tables({ maxRows: 0 })] });
`,
  );
  const { code, stderr } = await haft.run(['--trust', '--config', config, 'tools', 'list']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/tables.*maxRows.*0/s);
});

test('CSV with quotes, commas and line breaks in fields', () => {
  expect(parseCsv('a,b\r\n"x, ""y""","1\n2"\n,\n')).toEqual([['a', 'b'], ['x, "y"', '1\n2'], ['', '']]);
});
