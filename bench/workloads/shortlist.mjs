// The top 8 tools for a request, among thousands: our index, two search libraries, each as its documentation tunes it.
import assert from 'node:assert/strict';
import MiniSearch from 'minisearch';
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
    return { name: `${verb}_${thing.replaceAll(' ', '_')}_${place.split(' ').at(-1)}${suffix}`, description: `Use this to ${verb} a ${thing} in ${place}.`, parameters: [`${thing.split(' ')[0]}_id`, 'limit', 'dry_run'] };
  });
}

const queries = ['please read the invoice from cloud storage', 'translate a recipe in the team workspace', 'which flight can I compare on the phone', 'archiving the payments in a spreadsheet', 'send an email message from the inbox'];
const wanted = ['read_invoice_storage', 'translate_recipe_workspace', 'compare_flight_phone', 'archive_payment_spreadsheet', 'send_email_message_inbox'];

export const shortlistWorkload = (count) => async ({ quick }) => {
  const tools = makeTools(quick ? Math.min(count, 5_000) : count).slice(0, count);
  const names = new Set(tools.map((tool) => tool.name));
  const asked = queries.map((query, index) => [query, wanted[index]]).filter(([, name]) => names.has(name));
  const contestants = [
    { name: 'haft', run: await haftShortlist(tools) },
    { name: 'minisearch', run: miniSearch(tools) },
    { name: 'wink bm25', run: wink(tools) },
  ].map(({ name, run }) => ({ name, batch: 50, run: (index) => run(asked[index % asked.length][0]) }));
  const check = (found, name) => assert.ok(found.slice(0, 5).includes(asked[0][1]), `${name}: ${found.join(', ')}`);
  return { name: `shortlist of ${count}`, what: `top 8 of ${tools.length} tools`, unit: 'µs a query', rounds: 20, warm: 100, contestants, check };
};

function miniSearch(tools) {
  const index = new MiniSearch({ fields: ['name', 'description', 'parameters'], searchOptions: { boost: { name: 2 }, prefix: true, combineWith: 'OR' }, tokenize: (text) => text.toLowerCase().split(/[^a-z0-9]+/) });
  index.addAll(tools.map((tool, id) => ({ id, name: tool.name.replaceAll('_', ' '), description: tool.description, parameters: tool.parameters.join(' ') })));
  return (query) => index.search(query).slice(0, 8).map((hit) => tools[hit.id].name);
}

function wink(tools) {
  const bm25 = createRequire(import.meta.url)('wink-bm25-text-search')();
  bm25.defineConfig({ fldWeights: { name: 2, description: 1 } });
  bm25.definePrepTasks([(text) => text.toLowerCase().split(/[^a-z0-9]+/).filter(Boolean).map((word) => word.replace(/(?:ing|s|e)$/, ''))]);
  tools.forEach((tool, id) => bm25.addDoc({ name: tool.name.replaceAll('_', ' '), description: `${tool.description} ${tool.parameters.join(' ')}` }, id));
  bm25.consolidate();
  return (query) => bm25.search(query, 8).map(([id]) => tools[id].name);
}
