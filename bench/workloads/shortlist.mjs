// The top 8 tools for a request: our index and search libraries, each as its documentation tunes it. Thousands of made-up tools for the
// speed; for the quality, tools of published MCP servers (testdata/tools.json) and requests written for them (testdata/queries*.tsv).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { haftShortlist } from '../contestants/haft.mjs';

const verbs = ['read', 'write', 'list', 'delete', 'search', 'create', 'update', 'send', 'convert', 'count', 'move', 'compare', 'download', 'schedule', 'translate', 'validate', 'merge', 'publish', 'archive', 'rename'];
const things = ['file', 'folder', 'invoice', 'customer', 'calendar event', 'email message', 'database table', 'weather forecast', 'image', 'video', 'playlist', 'contact', 'payment', 'order', 'report', 'ticket', 'issue', 'branch', 'package', 'certificate', 'translation', 'recipe', 'flight', 'hotel room', 'map route'];
const places = ['cloud storage', 'the local disk', 'the team workspace', 'an archive', 'the inbox', 'a spreadsheet', 'the warehouse', 'the public site', 'a git repository', 'the phone'];

/** Distinct tools with names, descriptions and parameters that read like real ones. */
export function makeTools(count) {
  return Array.from({ length: count }, (_, index) => {
    const verb = verbs[index % verbs.length];
    const thing = things[Math.floor(index / verbs.length) % things.length];
    const place = places[Math.floor(index / (verbs.length * things.length)) % places.length];
    const round = Math.floor(index / (verbs.length * things.length * places.length));
    const suffix = round === 0 ? '' : `_v${round}`;
    const parameters = { [`${thing.split(' ')[0]}_id`]: '', limit: '', dry_run: '' };
    return { name: `${verb}_${thing.replaceAll(' ', '_')}_${place.split(' ').at(-1)}${suffix}`, description: `Use this to ${verb} a ${thing} in ${place}.`, parameters };
  });
}

const queries = ['please read the invoice from cloud storage', 'translate a recipe in the team workspace', 'which flight can I compare on the phone', 'archiving the payments in a spreadsheet', 'send an email message from the inbox'];
const wanted = ['read_invoice_storage', 'translate_recipe_workspace', 'compare_flight_phone', 'archive_payment_spreadsheet', 'send_email_message_inbox'];

export const shortlistWorkload = (count) => async ({ quick }) => {
  const tools = makeTools(quick ? Math.min(count, 5_000) : count).slice(0, count);
  const names = new Set(tools.map((tool) => tool.name));
  const asked = queries.map((query, index) => [query, wanted[index]]).filter(([, name]) => names.has(name));
  const searches = await searchesOf(tools);
  delete searches['minisearch defaults'];
  const contestants = Object.entries(searches).map(([name, run]) => ({ name, batch: name === 'orama' ? 5 : 50, run: (index) => run(asked[index % asked.length][0]) }));
  const check = (found, name) => assert.ok(name === 'orama' || found.slice(0, 5).includes(asked[0][1]), `${name}: ${found.join(', ')}`);
  return { name: `shortlist of ${count}`, what: `top 8 of ${tools.length} tools`, unit: 'µs a query', rounds: 20, warm: 100, contestants, check };
};

/**
 * The quality is the share of requests that have a right tool among the first five: plain requests, the same in words that avoid those of
 * the tools (what no matching of words can find), and Chinese ones for tools described in English.
 */
export async function recallWorkload() {
  const tools = read('tools.json', JSON.parse).flatMap((server) => server.tools);
  const sets = { en: queriesOf('queries.tsv'), 'other words': queriesOf('queries-other-words.tsv'), zh: queriesOf('queries-chinese.tsv') };
  const contestants = [];
  for (const [name, run] of Object.entries(await searchesOf(tools))) {
    const extra = {};
    for (const [set, asked] of Object.entries(sets)) extra[`recall@5 ${set}`] = await recall(run, asked);
    contestants.push({ name, batch: 20, run: (index) => run(sets.en[index % sets.en.length].query), extra });
  }
  const check = (found, name) => assert.ok(found.length > 0, `${name} found nothing`);
  const sizes = Object.entries(sets).map(([set, asked]) => `${asked.length} ${set}`).join(', ');
  return { name: 'shortlist of real tools', what: `top 8 of ${tools.length} tools of published MCP servers; requests: ${sizes}`, unit: 'µs a query', rounds: 20, warm: 100, contestants, check };
}

async function recall(run, asked) {
  let hits = 0;
  for (const { query, right } of asked) if ((await run(query)).slice(0, 5).some((name) => right.includes(name))) hits += 1;
  return `${((100 * hits) / asked.length).toFixed(1)} %`;
}

function queriesOf(name) {
  return read(name, (text) => text.trim().split('\n').map((line) => line.split('\t')).map(([right, query]) => ({ right: right.split(','), query })));
}

function read(name, parse) {
  return parse(readFileSync(new URL(`../testdata/${name}`, import.meta.url), 'utf8'));
}

/** contestant → (query) => names of at most 8 tools, best first; may be a promise */
async function searchesOf(tools) {
  return { haft: await haftShortlist(tools), minisearch: await miniSearch(tools, tuned), 'minisearch defaults': await miniSearch(tools, {}), 'wink bm25': wink(tools), orama: await orama(tools) };
}

const parameterText = ({ parameters }) => Object.entries(parameters).flat().join(' ');
const tuned = { searchOptions: { boost: { name: 2 }, prefix: true, combineWith: 'OR' }, tokenize: (text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u) };

async function miniSearch(tools, options) {
  const { default: MiniSearch } = await import('minisearch');
  const index = new MiniSearch({ fields: ['name', 'description', 'parameters'], ...options });
  index.addAll(tools.map((tool, id) => ({ id, name: tool.name.replaceAll('_', ' '), description: tool.description, parameters: parameterText(tool) })));
  return (query) => index.search(query).slice(0, 8).map((hit) => tools[hit.id].name);
}

function wink(tools) {
  const bm25 = createRequire(import.meta.url)('wink-bm25-text-search')();
  bm25.defineConfig({ fldWeights: { name: 2, description: 1 } });
  bm25.definePrepTasks([(text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean).map((word) => word.replace(/(?:ing|s|e)$/, ''))]);
  tools.forEach((tool, id) => bm25.addDoc({ name: tool.name.replaceAll('_', ' '), description: `${tool.description} ${parameterText(tool)}` }, id));
  bm25.consolidate();
  return (query) => bm25.search(query, 8).map(([id]) => tools[id].name);
}

/** As its documentation has it, with stemming; `threshold: 1` lets a tool in that has some of the words. */
async function orama(tools) {
  const { create, insertMultiple, search } = await import('@orama/orama');
  const db = create({ schema: { name: 'string', description: 'string', parameters: 'string' }, components: { tokenizer: { stemming: true } } });
  await insertMultiple(db, tools.map((tool) => ({ name: tool.name.replaceAll('_', ' '), description: tool.description, parameters: parameterText(tool), tool: tool.name })));
  return async (term) => (await search(db, { term, limit: 8, threshold: 1, boost: { name: 2 } })).hits.map((hit) => hit.document.tool);
}
