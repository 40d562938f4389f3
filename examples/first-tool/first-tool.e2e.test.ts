// The README's first tool, run as the README runs it.
import { afterAll, expect, test } from '@jest/globals';
import { HaftHome } from '../../apps/cli/test/haft-process.js';

const haft = new HaftHome();
afterAll(() => haft.remove());
const inExample = ['--trust', '--cwd', `${process.cwd()}/examples/first-tool`, 'tools', 'call', 'top_words'];

test('the tool is loaded from the config and called', async () => {
  const { code, stdout } = await haft.run([...inExample, '{"text":"the cat and the dog and the bird","count":2}', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ status: 'success', data: [{ word: 'the', uses: 3 }, { word: 'and', uses: 2 }] });
  expect(code).toBe(0);
});

test('a wrong argument is refused by its field, rule and value', async () => {
  const { code, stdout, stderr } = await haft.run([...inExample, '{"text":"the cat","count":"many"}']);
  expect(stderr).toMatch(/invalid_arguments.*count/s);
  expect(stderr).toContain('many');
  expect(stderr).not.toMatch(/\n\s+at /);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
});
