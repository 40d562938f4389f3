/** What a part of a request names: paths, globs, quoted texts, numbers, line ranges, key=value pairs, and the roles that sentences give them. */
import { fileKinds } from './lexicon.js';

export interface Entities {
  /** `tool_name {json}` written out. */
  literal?: { tool: string; json: string };
  keyValues: Map<string, string>;
  quoted: string[];
  paths: string[];
  glob?: string;
  urls: string[];
  numbers: number[];
  lines?: { from: number; count: number };
  command?: string;
  search?: string;
  replace?: { old: string; new: string };
  content?: string;
  /** The file or folder that the sentence names in its place role. */
  place?: string;
}

const quote = '(?:`([^`]+)`|"([^"]*)"|\'([^\']*)\'|“([^”]*)”|「([^」]*)」|‘([^’]*)’)';
const fileName = /(?<![\w*])(?:\.{0,2}\/)?(?:[\p{L}\p{N}_@.+-]+\/)*[\p{L}\p{N}_@+-]*\.?[\p{L}\p{N}_@+-]+(?:\.[A-Za-z0-9]+)+(?![\w/*])|(?<![\w*:/])(?:\.{1,2}\/|\/)?(?:[\p{L}\p{N}_@.+-]+\/)+[\p{L}\p{N}_@.+-]*|(?<![\p{L}\p{N}*./])\.[\p{L}_][\p{L}\p{N}_-]*(?!\s+files?\b|[\w.*])/gu;
const knownNames = /\b(?:README|LICENSE|CHANGELOG|Dockerfile|Makefile|Gemfile)\b(?!\.)/g;
const place = /(?:\b(?:in|under|inside|within|of|from)\s+(?:the\s+)?(?:folder\s+|directory\s+)?|在\s*)(?<name>[\w@.+/-]+)(?:\s+(?:folder|directory))?/giu;
const chinesePlace = /(?<name>[\w@.+/-]+)\s*(?:文件夹|目录)?\s*(?:中|里|下|内)/gu;

export function entitiesIn(text: string): Entities {
  const literal = literalCall(text);
  const bare = text.replace(new RegExp(quote, 'gu'), ' ');
  const entities: Entities = {
    ...(literal ? { literal } : {}),
    keyValues: keyValuesIn(text),
    quoted: [...text.matchAll(new RegExp(quote, 'gu'))].map(unquoted),
    urls: text.match(/https?:\/\/[^\s'"`，。]+/g) ?? [],
    paths: [],
    numbers: (bare.match(/(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])/g) ?? []).map(Number),
  };
  Object.assign(entities, sentenceRoles(text), linesIn(bare));
  const withoutUrls = text.replace(/https?:\/\/[^\s'"`，。]+/g, ' ');
  const glob = globIn(withoutUrls);
  if (glob) entities.glob = glob;
  entities.paths = pathsIn(withoutUrls, entities);
  return entities;
}

function unquoted(match: RegExpMatchArray): string {
  return match.slice(1).find((part) => part !== undefined) ?? '';
}

function literalCall(text: string): Entities['literal'] {
  const match = /(?:^|\s)([a-z][a-z0-9_]{0,63})\s*(\{[\s\S]*\})\s*$/.exec(text);
  return match?.[1] && match[2] ? { tool: match[1], json: match[2] } : undefined;
}

function keyValuesIn(text: string): Map<string, string> {
  const pairs = text.matchAll(new RegExp(`(?<![\\w/])([a-z][a-z0-9_]*)=(?:${quote}|([^\\s,;，；]+))`, 'giu'));
  return new Map([...pairs].map((match) => [String(match[1]), match.slice(2).find((part) => part !== undefined) ?? '']));
}

function globIn(text: string): string | undefined {
  const written = /(?<![\w`])[\w@./{},-]*\*[\w@*./{},?[\]-]*/u.exec(text.replace(/[`'"]/g, ' '))?.[0];
  if (written) return written;
  const kind = fileKinds.find((candidate) => candidate.names.test(text));
  const extensions = kind?.extensions ?? /\.([a-z0-9]+)\s*(?:files|文件)/i.exec(text)?.slice(1, 2);
  if (!extensions) return undefined;
  return extensions.length === 1 ? `**/*.${extensions[0] ?? ''}` : `**/*.{${extensions.join(',')}}`;
}

function pathsIn(text: string, entities: Entities): string[] {
  const taken = new Set([entities.search, entities.replace?.old, entities.replace?.new, entities.content, entities.command]);
  const spoken = [...text.matchAll(place), ...text.matchAll(chinesePlace)].map((match) => match.groups?.['name'] ?? '');
  const names = [...(entities.place ? [entities.place] : []), ...(text.match(fileName) ?? []), ...(text.match(knownNames) ?? []), ...spoken, ...entities.quoted.filter(looksLikePath)];
  const clean = names.map((name) => (/^\.+$/.test(name) ? name : name.replace(/[.,]+$/, ''))).filter((name) => isPathWord(name) && !taken.has(name));
  const unique = [...new Set(clean)];
  return unique.filter((name) => !unique.some((other) => other !== name && other.endsWith(`/${name}`)));
}

function looksLikePath(text: string): boolean {
  return /^[^\s*]+$/.test(text) && (text.includes('/') || /\.[A-Za-z0-9]{1,8}$/.test(text));
}

const notPlaces = new Set('the it this that here current there file files line lines all which what total a an order case and'.split(' '));

function isPathWord(name: string): boolean {
  return name !== '' && !/^\d+(?:[.-]\d+)*$/.test(name) && !notPlaces.has(name.toLowerCase()) && !isEnding(name);
}

/** `.ts` is a kind of file, `.env` a file. */
function isEnding(name: string): boolean {
  const [, ending = ''] = /^\.([a-z]+)$/i.exec(name) ?? [];
  return fileKinds.some(({ extensions }) => extensions.includes(ending.toLowerCase()));
}

function linesIn(text: string): Pick<Entities, 'lines'> {
  const range =
    /\blines?\s+(\d+)\s*(?:-|–|to|through|until)\s*(\d+)/i.exec(text) ?? /第?\s*(\d+)\s*(?:行?\s*(?:到|至|-|–|~)\s*第?)\s*(\d+)\s*行/.exec(text);
  if (range) return { lines: { from: Number(range[1]), count: Math.max(1, Number(range[2]) - Number(range[1]) + 1) } };
  const first = /\bfirst\s+(\d+)\s+lines?/i.exec(text) ?? /前\s*(\d+)\s*行/.exec(text);
  if (first) return { lines: { from: 1, count: Number(first[1]) } };
  const single = /\bline\s+(\d+)\b/i.exec(text) ?? /第\s*(\d+)\s*行/.exec(text);
  return single ? { lines: { from: Number(single[1]), count: 1 } } : {};
}

const term = `(?:${quote}|(\\S+?))`;
const longTerm = `(?:${quote}|(.+?))`;

interface SentenceForm {
  pattern: RegExp;
  /** What the captured terms mean, in order. */
  roles: readonly ('old' | 'new' | 'path' | 'search' | 'content' | 'command')[];
}

const form = (pattern: string, ...roles: SentenceForm['roles'][number][]): SentenceForm => ({ pattern: new RegExp(pattern, 'iu'), roles });

/** Sentences whose words order says which text is what. The first that fits decides. */
const sentenceForms: readonly SentenceForm[] = [
  form(`\\b(?:replace|change|substitute|rename)\\s+${longTerm}\\s+(?:by|with|to|into|for)\\s+${longTerm}\\s+in\\s+(?:the\\s+)?(?:file\\s+)?${term}$`, 'old', 'new', 'path'),
  form(`\\bin\\s+(?:the\\s+)?(?:file\\s+)?${term},?\\s+(?:replace|change|substitute|rename)\\s+${longTerm}\\s+(?:by|with|to|into|for)\\s+${longTerm}$`, 'path', 'old', 'new'),
  form(`(?:把|将)\\s*(?:文件)?\\s*${term}\\s*(?:文件)?(?:中|里)面?的?\\s*${longTerm}\\s*(?:替换|换|改)(?:成|为|作)\\s*${longTerm}$`, 'path', 'old', 'new'),
  form(`在\\s*(?:文件)?\\s*${term}\\s*(?:文件)?(?:中|里)面?\\s*，?(?:把|将)\\s*${longTerm}\\s*(?:替换|换|改)(?:成|为|作)\\s*${longTerm}$`, 'path', 'old', 'new'),
  form(`(?:替换|修改)\\s*${term}\\s*(?:中|里)面?的?\\s*${longTerm}\\s*(?:为|成)\\s*${longTerm}$`, 'path', 'old', 'new'),
  form(`\\b(?:write|save|put)\\s+(?:the\\s+(?:text|word|words)\\s+)?${longTerm}\\s+(?:to|into|in|as)\\s+(?:the\\s+|a\\s+)?(?:new\\s+)?(?:file\\s+)?${term}$`, 'content', 'path'),
  form(`\\bcreate\\s+(?:the\\s+|a\\s+)?(?:new\\s+)?(?:file\\s+)?${term}\\s+(?:with|containing)\\s+(?:the\\s+)?(?:content|text)?\\s*${longTerm}$`, 'path', 'content'),
  form(`(?:把|将)\\s*${longTerm}\\s*(?:写入|写到|写进|保存到|保存为|存入)\\s*(?:文件)?\\s*${term}(?:文件|中|里)?$`, 'content', 'path'),
  form(`在\\s*(?:文件)?\\s*${term}\\s*(?:文件)?(?:中|里)\\s*写入\\s*${longTerm}$`, 'path', 'content'),
  form(`(?:写入|写)\\s*${longTerm}\\s*(?:到|进)\\s*(?:文件)?\\s*${term}$`, 'content', 'path'),
  form(`(?:创建|新建)\\s*(?:文件)?\\s*${term}\\s*[，,]?\\s*(?:内容为|内容是|写入)\\s*${longTerm}$`, 'path', 'content'),
  form(`\\b(?:search(?:\\s+for)?|grep(?:\\s+for)?|look\\s+for)\\s+(?:the\\s+(?:text|word|pattern)\\s+)?${longTerm}\\s+(?:in|under|inside|within)\\s+(?:the\\s+)?(?:folder\\s+|directory\\s+|file\\s+)?${term}(?:\\s+(?:folder|directory|file))?$`, 'search', 'path'),
  form(`\\b(?:search|grep|look)\\s+(?:in\\s+)?${term}\\s+for\\s+${longTerm}$`, 'path', 'search'),
  form(`在\\s*${term}\\s*(?:文件夹|目录|文件)?(?:中|里|下)面?\\s*(?:搜索|查找|检索|搜一下)\\s*${longTerm}$`, 'path', 'search'),
  form(`(?:搜索|查找|检索|搜一下)\\s*${term}\\s*(?:文件夹|目录|文件)?(?:中|里|下)面?的\\s*${longTerm}$`, 'path', 'search'),
  form(`\\b(?:search(?:\\s+for)?|grep(?:\\s+for)?|look\\s+for)\\s+(?:the\\s+(?:text|word|pattern)\\s+)?${longTerm}$`, 'search'),
  form(`(?:搜索|检索|搜一下)\\s*${longTerm}$`, 'search'),
  form(`^(?:please\\s+)?(?:read|show|open|cat|print|display|view|list|ls)\\s+(?:me\\s+)?(?:the\\s+)?(?:file\\s+|folder\\s+|directory\\s+)?${term}(?:\\s+(?:file|folder|directory))?$`, 'path'),
  form(`(?:^|\\s)(?:run|execute|exec)\\s+(?:the\\s+)?(?:command\\s+)?${longTerm}$`, 'command'),
  form(`(?:运行|执行)\\s*(?:命令)?\\s*${longTerm}$`, 'command'),
];

function sentenceRoles(text: string): Partial<Entities> {
  const sentence = text.trim().replace(/(?<=\S)[.?!。？！]+$/u, '');
  for (const { pattern, roles } of sentenceForms) {
    const match = pattern.exec(sentence);
    if (match) return rolesToEntities(roles, captured(match, roles.length));
  }
  return {};
}

/** Each term has seven groups: six kinds of quotes, then the bare word. */
function captured(match: RegExpExecArray, count: number): string[] {
  return Array.from({ length: count }, (_, index) => match.slice(1 + index * 7, 8 + index * 7).find((part) => part !== undefined) ?? '');
}

function rolesToEntities(roles: SentenceForm['roles'], values: string[]): Partial<Entities> {
  const byRole = Object.fromEntries(roles.map((role, index) => [role, values[index] ?? '']));
  const { old: before, new: after, search, content, command } = byRole;
  return {
    ...(before !== undefined && after !== undefined ? { replace: { old: before, new: after } } : {}),
    ...(search !== undefined ? { search } : {}),
    ...(content !== undefined ? { content } : {}),
    ...(command !== undefined ? { command } : {}),
    ...(byRole['path'] ? { place: byRole['path'] } : {}),
  };
}
