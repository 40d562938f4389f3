// The shortlist finds the tool that a request is about, in English and Chinese.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createDispatcher } from '../call/dispatch.js';
import type { JsonSchema } from '../schema/json.js';
import { fakeTool, noServices } from '../testing/fake-tool.js';
import { searchTerms } from './search-terms.js';
import { searchTools } from './search-tools.js';
import { stemWord } from './stem-word.js';
import { ToolRegistry } from './tool-registry.js';

const text = (description: string): JsonSchema => ({ type: 'string', description });

/** Name, description, parameters. */
const catalogue: [string, string, Record<string, JsonSchema>?][] = [
  ['read_file', 'Reads a text file from the workspace, with line numbers.', { path: text('File to read'), offset: text('First line') }],
  ['write_file', 'Writes a whole text file, creating folders as needed.', { path: text('File to write'), content: text('New content') }],
  ['edit_file', 'Replaces one piece of text in a file by another.', { path: text('File'), old_text: text('Exact text to replace'), new_text: text('Replacement') }],
  ['glob', 'Finds files whose names match a pattern.', { pattern: text('Glob such as **/*.ts') }],
  ['grep', 'Searches the contents of files with a regular expression.', { pattern: text('Regular expression'), path: text('Where to search') }],
  ['list_dir', 'Lists the entries of a directory.', { path: text('Directory') }],
  ['bash', 'Runs a shell command.', { command: text('Command line') }],
  ['get_weather', 'Current weather and temperature of a city.', { city: text('City name') }],
  ['send_email', 'Sends an e-mail message to recipients.', { to: text('Recipients'), subject: text('Subject'), body: text('Message text') }],
  ['translate_text', 'Translates text into another language.', { text: text('Text'), target_language: text('Language') }],
  ['convert_currency', 'Converts an amount of money between currencies at the current exchange rate.', { amount: text('Amount'), from: text('Currency'), to: text('Currency') }],
  ['create_calendar_event', 'Adds an event to the calendar.', { title: text('Title'), start_time: text('Begin'), attendees: text('People invited to the meeting') }],
  ['book_flight', 'Books a flight between two airports.', { origin: text('Airport of departure'), destination: text('Airport of arrival') }],
  ['query_database', 'Runs a read-only SQL query.', { sql: text('Statement') }],
  ['resize_image', 'Changes the width and height of an image.', { width: text('Pixels'), height: text('Pixels') }],
  ['git_commit', 'Commits staged changes to the repository.', { message: text('Commit message') }],
  ['stock_price', 'Latest price of a share on the stock market.', { symbol: text('Ticker symbol') }],
  ['create_note', '新建一条笔记，可以带标签。', { content: text('笔记的内容') }],
  ['order_food', '在附近的餐厅点外卖。', { dish: text('菜名') }],
  ['delete_user', 'Removes a user account for good.', { user_id: text('Account') }],
];

function filled(): ToolRegistry {
  const registry = new ToolRegistry();
  for (const [name, description, properties = {}] of catalogue) registry.register(fakeTool({ name, description, parameters: { type: 'object', properties } }), 'test');
  return registry;
}

describe('shortlist', () => {
  const registry = filled();
  const first = (query: string) => registry.shortlist(query, 3).map(({ tool }) => tool.name);

  test.each([
    ['show me the contents of README.md, please read the file', 'read_file'],
    ['find all files matching *.ts', 'glob'],
    ['search for the regular expression TODO', 'grep'],
    ['what is the weather in Paris', 'get_weather'],
    ['how hot is it: temperatures in cities', 'get_weather'],
    ['email the report to my boss', 'send_email'],
    ['replace foo by bar in the text', 'edit_file'],
    ['converting euros to another currency', 'convert_currency'],
    ['set up a meeting on my calendar', 'create_calendar_event'],
    ['listing directories', 'list_dir'],
    ['make the picture smaller: resize the images', 'resize_image'],
    ['commit my changes', 'git_commit'],
    ['remove the account of this user', 'delete_user'],
    ['读取文件 README.md', 'read_file'],
    ['在代码里搜索正则', 'grep'],
    ['今天北京的天气怎么样', 'get_weather'],
    ['列出目录', 'list_dir'],
    ['运行命令 git status', 'bash'],
    ['发送邮件给老板', 'send_email'],
    ['帮我写一条笔记', 'create_note'],
    ['附近餐厅的外卖', 'order_food'],
  ])('%s → %s', (query, expected) => {
    expect(first(query)[0]).toBe(expected);
  });

  test('what shares no word with any tool finds nothing, and the number asked for is kept', () => {
    expect(registry.shortlist('zyzzyva', 8)).toEqual([]);
    expect(registry.shortlist('', 8)).toEqual([]);
    expect(registry.shortlist('file text path', 2)).toHaveLength(2);
  });

  test('a hidden tool is not found; a dear one comes after its equal that is cheap', () => {
    expect(registry.shortlist('read file', 20, new Set(['write_file'])).map(({ tool }) => tool.name)).toEqual(['write_file']);
    const priced = new ToolRegistry();
    priced.register(fakeTool({ name: 'dear_search', description: 'Search the web', cost: 10 }), 'test');
    priced.register(fakeTool({ name: 'cheap_search', description: 'Search the web', cost: 1 }), 'test');
    expect(priced.shortlist('search the web', 2).map(({ tool }) => tool.name)).toEqual(['cheap_search', 'dear_search']);
  });

  test('a tool that is added or removed later is found or gone', () => {
    const changing = filled();
    expect(changing.shortlist('unicorn', 1)).toEqual([]);
    changing.register(fakeTool({ name: 'feed_unicorn' }), 'test');
    expect(changing.shortlist('unicorn', 1)[0]?.tool.name).toBe('feed_unicorn');
    changing.remove('feed_unicorn');
    expect(changing.shortlist('unicorn', 1)).toEqual([]);
  });

  test('law: scores fall, no tool comes twice, and each shares a term with the request', () => {
    const words = catalogue.flatMap(([name, description]) => [...name.split('_'), ...description.split(/\s+/)]);
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...words), fc.string()), { maxLength: 8 }), fc.integer({ min: 1, max: 30 }), (query, k) => {
        const found = registry.shortlist(query.join(' '), k);
        expect(found.length).toBeLessThanOrEqual(k);
        expect(new Set(found.map(({ tool }) => tool.name)).size).toBe(found.length);
        for (const [index, entry] of found.entries()) expect(entry.score).toBeLessThanOrEqual(found[index - 1]?.score ?? Infinity);
        for (const { score } of found) expect(score).toBeGreaterThan(0);
        expect(registry.shortlist(query.join(' '), k)).toEqual(found);
      }),
      { numRuns: 500 },
    );
  });
});

test('stems follow the published examples of the algorithm', () => {
  const pairs: [string, string][] = [
    ['caresses', 'caress'], ['ponies', 'poni'], ['cats', 'cat'], ['feed', 'feed'], ['agreed', 'agre'], ['plastered', 'plaster'], ['motoring', 'motor'], ['sing', 'sing'], ['conflated', 'conflat'],
    ['troubled', 'troubl'], ['sized', 'size'], ['hopping', 'hop'], ['falling', 'fall'], ['hissing', 'hiss'], ['failing', 'fail'], ['filing', 'file'], ['happy', 'happi'], ['sky', 'sky'],
    ['relational', 'relat'], ['conditional', 'condit'], ['valenci', 'valenc'], ['digitizer', 'digit'], ['operator', 'oper'], ['feudalism', 'feudal'], ['hopefulness', 'hope'], ['formaliti', 'formal'],
    ['triplicate', 'triplic'], ['formative', 'form'], ['electrical', 'electr'], ['goodness', 'good'], ['revival', 'reviv'], ['allowance', 'allow'], ['inference', 'infer'], ['adjustable', 'adjust'],
    ['replacement', 'replac'], ['adoption', 'adopt'], ['communism', 'commun'], ['activate', 'activ'], ['effective', 'effect'], ['probate', 'probat'], ['rate', 'rate'], ['cease', 'ceas'], ['controll', 'control'], ['roll', 'roll'],
  ];
  expect(pairs.map(([word]) => stemWord(word))).toEqual(pairs.map(([, stem]) => stem));
});

test('identifiers are taken apart; stop words, case and punctuation do not count', () => {
  expect(searchTerms('readFile of the HTMLPage, list_dir')).toEqual(['read', 'file', 'html', 'page', 'list', 'dir']);
  expect(searchTerms('搜索文件')).toEqual(['搜索', '索文', '文件']);
});

describe('search_tools', () => {
  test('a model finds deferred tools by what they do, within what it may see', async () => {
    const registry = filled();
    const offered: string[][] = [];
    registry.register(searchTools(registry, { visible: () => new Set(['get_weather', 'bash', 'search_tools']), onFound: (names) => void offered.push([...names]) }), 'test');
    const dispatcher = createDispatcher({ registry });
    const search = (args: object) => dispatcher.dispatch({ id: 's', name: 'search_tools', arguments: JSON.stringify(args) }, { sessionId: 's', signal: new AbortController().signal, services: noServices });
    const found = await search({ query: 'weather or a file or a shell command', limit: 2 });
    expect(found.content).toMatch(/get_weather: Current weather/);
    expect(found.content).toMatch(/"city"/);
    expect(found.content).not.toMatch(/read_file/);
    expect(offered[0]?.toSorted()).toEqual(['bash', 'get_weather']);
    expect(await search({ query: 'zyzzyva' })).toMatchObject({ success: true, content: expect.stringContaining('No tool fits') });
    expect(await search({ query: '' })).toMatchObject({ code: 'invalid_arguments' });
  });
});
