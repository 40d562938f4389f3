/** `{a,b}` in a glob → one glob per choice. */
import { ToolFailure } from '../errors.js';

const maxAlternatives = 1_024;

/** Throws `invalid_pattern` for more choices than can be useful. A brace without a comma or without its partner stands for itself. */
export function expandBraces(pattern: string): string[] {
  const done: string[] = [];
  const pending = [pattern];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const group = firstGroup(next);
    if (group === undefined) done.push(next);
    else for (const choice of group.choices) pending.push(next.slice(0, group.start) + choice + next.slice(group.end));
    if (done.length + pending.length > maxAlternatives) {
      throw new ToolFailure('invalid_pattern', `The glob has too many {…} choices: at most ${maxAlternatives} in all.`);
    }
  }
  return done.reverse();
}

function firstGroup(text: string): { start: number; end: number; choices: string[] } | undefined {
  for (let start = 0; start < text.length; start++) {
    if (text[start] === '\\') start++;
    else if (text[start] === '{') {
      const group = readGroup(text, start);
      if (group) return group;
    }
  }
  return undefined;
}

function readGroup(text: string, start: number): { start: number; end: number; choices: string[] } | undefined {
  const choices: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (character === '{') depth++;
    else if (character === ',' && depth === 1) {
      choices.push(text.slice(from, at));
      from = at + 1;
    } else if (character === '}' && --depth === 0) {
      choices.push(text.slice(from, at));
      return choices.length > 1 ? { start, end: at + 1, choices } : undefined;
    }
  }
  return undefined;
}
