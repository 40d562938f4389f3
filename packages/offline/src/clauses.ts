/** Splits a request into the parts that ask for one thing each, and says which must wait for the one before. */
import { actionsIn } from './lexicon.js';

export interface Clause {
  text: string;
  /** Joined by "then": it may rest on what came before. */
  after: boolean;
}

const connectors =
  /\s*(?:[,;，；。]\s*)?(?:\b(?<then>and then|then|after that)\b|\b(?<and>and|also)\b|(?<zhThen>然后再?|接着|之后再?|再(?=[读写搜列运执查看替把]))|(?<zhAnd>并且|同时|以及|并(?=[读写搜列运执查看替把])))\s*[,，]?\s*|\s*[;；\n]\s*|\s*[,，。]\s+/giu;

/** What a new part begins with; without it a connector belongs to the text ("search for foo and bar"). */
const opening =
  /^(?:please\s+|also\s+)?(?:read|show|open|cat|print|display|view|list|enumerate|ls|find|locate|glob|search|grep|look|count|how many|run|execute|exec|replace|substitute|change|write|create|save|put|edit|what|which|who|where|when|does|is there|tell|[a-z][a-z0-9_]*\s*\{)|^(?:请|读|查|打开|显示|看|列|找|寻|搜|检|统计|数|有多少|多少|运行|执行|替换|把|将|在|写|创建|新建|保存|什么|哪)/iu;

/** Text inside quotes, backticks and braces is never split. */
export function splitClauses(request: string): Clause[] {
  const guarded = guardedRanges(request);
  const clauses: Clause[] = [];
  let start = 0;
  let after = false;
  for (const match of request.matchAll(connectors)) {
    const end = match.index + match[0].length;
    const isGuarded = guarded.some(([from, to]) => match.index < to && end > from);
    if (isGuarded || !opening.test(request.slice(end)) || !asksSomething(request.slice(start, match.index))) continue;
    clauses.push({ text: request.slice(start, match.index).trim(), after });
    after = Boolean(match.groups?.['then'] ?? match.groups?.['zhThen']);
    start = end;
  }
  clauses.push({ text: request.slice(start).trim(), after });
  return clauses.filter((clause) => clause.text !== '');
}

function asksSomething(text: string): boolean {
  return actionsIn(text).length > 0 || /[a-z][a-z0-9_]*\s*\{/.test(text);
}

function guardedRanges(text: string): [number, number][] {
  const quoted = /`[^`]*`|"[^"]*"|(?<![\p{L}\p{N}])'[^']*'|“[^”]*”|「[^」]*」|‘[^’]*’/gu;
  const ranges = [...text.matchAll(quoted)].map((match): [number, number] => [match.index, match.index + match[0].length]);
  return [...ranges, ...braceRanges(text)];
}

function braceRanges(text: string): [number, number][] {
  const ranges: [number, number][] = [];
  let depth = 0;
  let from = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '{' && depth++ === 0) from = index;
    if (text[index] === '}' && depth > 0 && --depth === 0) ranges.push([from, index + 1]);
  }
  return ranges;
}
