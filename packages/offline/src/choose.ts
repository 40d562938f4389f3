/** Ranks the offered tools against one part of a request, and decides which call it asks for. */
import type { ToolDefinition } from '@haft/core';
import { entitiesIn, type Entities } from './entities.js';
import { fill, type Filling } from './fill.js';
import { actionsIn, wordsOf, type Action } from './lexicon.js';

export type Choice =
  | { kind: 'call'; tool: ToolDefinition; arguments: string; action?: Action; entities: Entities }
  /** A tool fits, but the request leaves out what it needs. */
  | { kind: 'incomplete'; tool: ToolDefinition; missing: string[] }
  | { kind: 'none' };

interface Candidate {
  tool: ToolDefinition;
  filling: Filling;
  score: number;
}

/** Below this nothing in the tool's own words speaks for it. */
const leastScore = 1;

export function choose(text: string, tools: readonly ToolDefinition[]): Choice {
  const entities = entitiesIn(text);
  if (entities.literal) return literalChoice(entities.literal, tools, entities);
  const wanted = actionsIn(text);
  const words = wordsOf(text);
  // "How many" says nothing of the tool; what is counted comes second.
  const hints = [...wanted.slice(0, wanted[0]?.action === 'count' ? 2 : 1).flatMap((entry) => [...entry.toolWords]), ...hintsOf(entities)];
  const candidates = rank(text, words, hints, entities, tools).filter((candidate) => !candidate.filling.missesThePoint);
  const best = candidates.find((candidate) => candidate.filling.missing.length === 0 && candidate.score >= leastScore);
  const close = candidates[0];
  if (best) return { kind: 'call', tool: best.tool, arguments: JSON.stringify(best.filling.args), entities, ...(wanted[0] ? { action: wanted[0].action } : {}) };
  if (close && close.score >= leastScore) return { kind: 'incomplete', tool: close.tool, missing: close.filling.missing };
  return { kind: 'none' };
}

/** What is named tells of the tool as much as the verb does: "the *.json files" wants one that takes a glob. */
function hintsOf(entities: Entities): string[] {
  return [
    ...(entities.glob === undefined ? [] : ['glob', 'find']),
    ...(entities.command === undefined ? [] : ['command', 'bash']),
    ...(entities.search === undefined ? [] : ['search', 'grep']),
    ...(entities.replace === undefined ? [] : ['edit', 'replace']),
    ...(entities.content === undefined ? [] : ['write']),
  ];
}

/** Written out by the user: passed on as it is, so that the dispatcher judges it. */
function literalChoice(literal: { tool: string; json: string }, tools: readonly ToolDefinition[], entities: Entities): Choice {
  const tool = tools.find((candidate) => candidate.name === literal.tool);
  return tool ? { kind: 'call', tool, arguments: literal.json, entities } : { kind: 'none' };
}

function rank(text: string, words: string[], hints: string[], entities: Entities, tools: readonly ToolDefinition[]): Candidate[] {
  const documents = tools.map(documentOf);
  const rarity = (word: string): number => Math.log(1 + tools.length / (1 + documents.filter((document) => document.has(word)).length));
  const candidates = tools.map((tool, index): Candidate => {
    const document = documents[index] ?? new Map<string, number>();
    const spoken = sum(words, (word) => rarity(word) * (document.get(stem(word)) ?? 0));
    const hinted = sum(hints, (word) => 0.6 * rarity(word) * (document.get(stem(word)) ?? 0));
    const filling = fill(tool, entities, text);
    const named = new RegExp(`\\b${tool.name}\\b`, 'i').test(text) ? 6 : 0;
    const relevance = spoken + hinted + named;
    const fit = 2 * filling.used - 4 * filling.unused - 1.5 * filling.missing.length;
    return { tool, filling, score: relevance > 0 ? relevance + fit : 0 };
  });
  return candidates.sort((a, b) => b.score - a.score);
}

/** Stemmed word → weight: a tool's name weighs most, then its description, then its parameters. */
function documentOf(tool: ToolDefinition): Map<string, number> {
  const weights = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const word of wordsOf(text.replaceAll('_', ' '))) weights.set(stem(word), Math.max(weights.get(stem(word)) ?? 0, weight));
  };
  add(Object.keys(tool.parameters.properties ?? {}).join(' '), 0.6);
  add(tool.description, 1);
  add(tool.tags.join(' '), 1.5);
  add(tool.name, 2.5);
  return weights;
}

function stem(word: string): string {
  return word.replace(/ies$/, 'y').replace(/(?<=ss|x|ch|sh)es$|(?<=[^s])s$|(?<=\w{3})(?:ing|ed)$/, '');
}

function sum(words: readonly string[], weight: (word: string) => number): number {
  return words.reduce((total, word) => total + weight(word), 0);
}
