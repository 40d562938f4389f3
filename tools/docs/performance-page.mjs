// docs/performance.md: what was measured, read from bench/results, and where the time goes.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../bench/results/', import.meta.url));

export function performancePage() {
  const results = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.json')).map((file) => JSON.parse(readFileSync(folder + file, 'utf8'))) : [];
  const rows = results.toSorted((a, b) => a.workload.localeCompare(b.workload)).map(row);
  return `${before}\n| workload | Haft | floor | best peer | Haft ÷ floor | Haft ÷ best peer |\n| --- | --- | --- | --- | --- | --- |\n${rows.join('\n')}\n\n${after}`;
}

function row({ workload, what, unit, figures }) {
  const ours = figures.find(({ name }) => name === 'haft');
  const floor = figures.find(({ name }) => name === 'floor');
  const best = figures.filter(({ name, reference }) => name !== 'floor' && !reference && !name.startsWith('haft') && !name.endsWith('(not exact)')).toSorted((a, b) => a.median - b.median)[0];
  const number = (value) => (value === undefined ? '' : value >= 100 ? Math.round(value).toLocaleString('en') : Number(value.toPrecision(2)).toString());
  const ratio = (base) => (base ? `${number(ours.median / base.median)} ×` : '');
  const more = Object.entries(ours.extra ?? {}).map(([head, value]) => `; ${head} ${value}${best?.extra ? ` (${best.name} ${best.extra[head]})` : ''}`).join('');
  return `| ${workload}: ${what}; ${unit}${more} | ${number(ours.median)} | ${number(floor?.median)} | ${best ? `${number(best.median)} (${best.name})` : ''} | ${ratio(floor)} | ${ratio(best)} |`;
}

const before = `# Performance

\`npm run bench\` installs the peers in \`bench/\` alone, checks that every contestant gives the right answer, runs all of them in interleaved rounds and writes
\`bench/results\`. The machines are small and noisy: read the ratios, and take no difference under 1.3 × for a finding. "Floor" is hand-written code that does
the same work and nothing else. This page is made from those results by \`npm run docs\`.
`;

const after = `## Where the time goes, and what bounds it

- **A call.** Of 2 µs, reading the arguments' text takes 0.33, writing the result's 0.3 (both are the floor's too), the promises that a caller waits for 0.2, checking and building
  the arguments 0.2, the instance 0.1, the clock, read twice for the duration, 0.09, the place among concurrent calls 0.07, looking for keys given twice 0.07, the decision of the
  policy 0.02. The rest is the records of the call: about 2 KB, which the collector takes back every 4,000 calls, and which is what the slowest calls wait for. No timer and no signal are made
  until a tool has to be waited for or asks for them. The Anthropic runner has none of these guards and is faster by them.
- **A wrong call.** Wrong arguments are a value, not an error object, and every wrong field is named.
- **Schemas.** Made once per class and once per dialect, then kept. The cold figures begin at the decorators and count the CPU time of the whole process, background compilers
  included: about a sixth is compiling our own code for the first time, a fifth reading recorded metadata, the rest describing six fields a class, in code that is not yet optimised. Later lists are a look-up.
- **Start.** Most of it is module loading. Each package is bundled into a few files, core loads neither class-validator nor typedi by itself, and the shipped plugins
  carry the few decorators that they use: class-validator's own import, about twice as much as all of core, is paid by who imports it. SDKs and renderers are
  loaded when they are needed; what the prompt of \`haft\` needs is one file.
- **The loop.** The history is one array that grows; each message's wire form is kept, so a turn costs the same at the end of a long conversation as at its start.
- **Streams.** The SDKs make the request; the bytes of the answer are read by a line reader of ours, all events of a chunk together, where the SDKs spend several promises
  an event. Each delta is handed on once; no snapshot of the answer is rebuilt.
- **Files.** First lines are read without touching the rest; far lines are counted in bytes without decoding. An edit rewrites the file whole and waits for the disk
  twice (file and folder), because a crash must leave the old or the new content. ripgrep chooses candidate files; what is shown is read again by the workspace.
- **Commands.** Starting bash costs most, 2.5 ms. Bare bubblewrap adds 4 ms, the full sandbox 4.8 ms more (measured as root, with nothing else running):
  2.1 for what goes before bubblewrap (nsenter and a shell that joins the control group and sets limits, half each), 1.3 for more mounts, each
  about 0.18 (so files of /etc are copied in, not bound), 0.4 for read-only remounts, 0.6 for the network namespace, 0.3 to look for what needs protection.
  A process that holds a gigabyte starts commands 5 ms later if it is of JavaScript objects, 47 if it is of buffers, which a fork copies the page tables of.
- **The shortlist.** An inverted index on typed arrays, built when tools are registered, with stemming for English and pairs of characters for Chinese.
  Requests that share no word with their tool (the set "other words") are found by no search of words; synonyms would have to be written down.
`;
