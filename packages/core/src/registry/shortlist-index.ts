/**
 * Ranks tools against a request: BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009) over weighted fields. What
 * does not depend on the request is computed when the index is made, and lies in typed arrays, one run of postings for each term.
 */
import type { JsonSchema } from '../schema/json.js';
import type { ToolDefinition } from '../tool/tool.js';
import { searchTerms } from './search-terms.js';

export interface ShortlistEntry {
  tool: ToolDefinition;
  /** Comparable within one request only. */
  score: number;
}

/** How much one occurrence counts, by where it stands. */
const weights = { name: 3, title: 2, tags: 2, parameter: 1.5, description: 1, parameterText: 0.6, example: 0.4 };
const saturation = 1.2;
const lengthNormalisation = 0.4;
/** A tool that costs 1 loses this share of its score; each doubling as much again. */
const costShare = 0.05;

export class ShortlistIndex {
  readonly #tools: readonly ToolDefinition[];
  readonly #terms = new Map<string, number>();
  /** Postings of term `t` are those from `#starts[t]` up to `#starts[t + 1]`. */
  readonly #starts: Uint32Array;
  readonly #documents: Uint32Array;
  readonly #impacts: Float32Array;
  readonly #costFactors: Float32Array;
  readonly #scores: Float32Array;
  readonly #touched: Uint32Array;

  constructor(tools: readonly ToolDefinition[]) {
    this.#tools = tools;
    const postings = collectPostings(tools, this.#terms);
    const total = postings.reduce((sum, list) => sum + list.documents.length, 0);
    this.#starts = new Uint32Array(postings.length + 1);
    this.#documents = new Uint32Array(total);
    this.#impacts = new Float32Array(total);
    this.#costFactors = Float32Array.from(tools, (tool) => 1 / (1 + costShare * Math.log2(1 + Math.max(0, tool.cost))));
    this.#scores = new Float32Array(tools.length);
    this.#touched = new Uint32Array(tools.length);
    postings.forEach((list, term) => this.#store(list, term));
  }

  /** At most `k` tools that share a term with the request, best first; equal scores in the order of registration. */
  search(query: string, k: number, visible?: ReadonlySet<string>): ShortlistEntry[] {
    const touched = this.#accumulate(query);
    const scores = this.#scores;
    const documents = this.#touched;
    const best: Ranked[] = [];
    let least = 0;
    for (let index = 0; index < touched; index++) {
      const document = documents[index] as number;
      const score = (scores[document] as number) * (this.#costFactors[document] as number);
      scores[document] = 0;
      if (score < least || (visible && !visible.has((this.#tools[document] as ToolDefinition).name))) continue;
      keepBest(best, { document, score }, k);
      if (best.length === k) least = best[k - 1]?.score ?? 0;
    }
    return best.map(({ document, score }) => ({ tool: this.#tools[document] as ToolDefinition, score }));
  }

  #store({ documents, impacts }: Postings, term: number): void {
    const start = this.#starts[term] as number;
    this.#documents.set(documents, start);
    this.#impacts.set(impacts, start);
    this.#starts[term + 1] = start + documents.length;
  }

  /** Adds up the impacts of the query's terms; returns how many documents were touched. */
  #accumulate(query: string): number {
    const scores = this.#scores;
    const touchedDocuments = this.#touched;
    const documents = this.#documents;
    const impacts = this.#impacts;
    let touched = 0;
    for (const term of new Set(searchTerms(query, true))) {
      const id = this.#terms.get(term);
      if (id === undefined) continue;
      const end = this.#starts[id + 1] as number;
      for (let at = this.#starts[id] as number; at < end; at++) {
        const document = documents[at] as number;
        const score = scores[document] as number;
        if (score === 0) touchedDocuments[touched++] = document;
        scores[document] = score + (impacts[at] as number);
      }
    }
    return touched;
  }
}

interface Ranked {
  document: number;
  score: number;
}

interface Postings {
  documents: number[];
  impacts: number[];
}

/** Puts an entry into its place among the `k` best; of equal ones the earlier document stands first. */
function keepBest(best: Ranked[], entry: Ranked, k: number): void {
  let at = best.length;
  while (at > 0 && isBetter(entry, best[at - 1] as Ranked)) at--;
  if (at === k) return;
  best.splice(at, 0, entry);
  if (best.length > k) best.pop();
}

function isBetter(one: Ranked, other: Ranked): boolean {
  return one.score > other.score || (one.score === other.score && one.document < other.document);
}

function collectPostings(tools: readonly ToolDefinition[], terms: Map<string, number>): Postings[] {
  const frequencies = tools.map(weightedTerms);
  const lengths = frequencies.map((counts) => [...counts.values()].reduce((sum, count) => sum + count, 0));
  const averageLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  const postings: Postings[] = [];
  frequencies.forEach((counts, document) => {
    const norm = saturation * (1 - lengthNormalisation + (lengthNormalisation * (lengths[document] ?? 0)) / averageLength);
    for (const [term, count] of counts) {
      const id = terms.get(term) ?? terms.size;
      terms.set(term, id);
      const list = (postings[id] ??= { documents: [], impacts: [] });
      list.documents.push(document);
      list.impacts.push((count * (saturation + 1)) / (count + norm));
    }
  });
  for (const list of postings) {
    const rarity = Math.log(1 + (tools.length - list.documents.length + 0.5) / (list.documents.length + 0.5));
    list.impacts = list.impacts.map((impact) => impact * rarity);
  }
  return postings;
}

function weightedTerms(tool: ToolDefinition): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (text: string | undefined, weight: number) => {
    if (text !== undefined) for (const term of searchTerms(text)) counts.set(term, (counts.get(term) ?? 0) + weight);
  };
  add(tool.name, weights.name);
  add(tool.title, weights.title);
  add(tool.description, weights.description);
  for (const tag of tool.tags) add(tag, weights.tags);
  addParameters(tool.parameters, add, 3);
  for (const example of tool.examples) add(Object.values(example).filter((value) => typeof value === 'string').join(' '), weights.example);
  return counts;
}

/** Names and descriptions of the parameters, and of their parts down to `depth` levels. */
function addParameters(schema: JsonSchema, add: (text: string | undefined, weight: number) => void, depth: number): void {
  if (depth === 0) return;
  for (const [name, parameter] of Object.entries(schema.properties ?? {})) {
    add(name, weights.parameter);
    add(parameter.description, weights.parameterText);
    for (const value of parameter.enum ?? []) if (typeof value === 'string') add(value, weights.parameterText);
    addParameters(parameter, add, depth - 1);
    if (parameter.items) addParameters(parameter.items, add, depth - 1);
  }
}
