/** Words that the stand-in knows, English and Chinese: what they ask for, and which words a fitting tool's description holds. */

export type Action = 'read' | 'list' | 'find' | 'search' | 'count' | 'run' | 'replace' | 'write' | 'ask';

export interface ActionWords {
  readonly action: Action;
  /** Matches a request (or one part of it) that asks for the action. */
  readonly asks: RegExp;
  /** Words to look for in tool names and descriptions. */
  readonly toolWords: readonly string[];
}

/** In order of precedence: the first that matches leads, the others only add their words. */
export const actions: readonly ActionWords[] = [
  { action: 'replace', asks: /\b(replace|substitute|change|rename)\b|替换|换成|改成|改为/i, toolWords: ['edit', 'replace', 'old', 'new'] },
  { action: 'run', asks: /^\s*(please\s+)?(run|execute|exec)\b|运行|执行/i, toolWords: ['run', 'command', 'bash', 'shell'] },
  { action: 'count', asks: /\bhow many\b|\bcount\b|\bnumber of\b|多少|几个|统计|数一下/i, toolWords: ['count'] },
  { action: 'search', asks: /\b(search|grep|look)\b|搜索|检索|搜一下|查找/i, toolWords: ['search', 'grep', 'text', 'expression'] },
  { action: 'list', asks: /\b(list|enumerate|ls)\b|\b(?:what|which) files\b|\bwhat(?:'s| is) (?:in|inside) (?:this|the) (?:folder|directory|project|repo(?:sitory)?)\b|列出|列举|有哪些/i, toolWords: ['list', 'files', 'folder', 'directory'] },
  { action: 'find', asks: /\b(find|locate|glob)\b|找出|找到|寻找/i, toolWords: ['find', 'glob', 'search'] },
  { action: 'read', asks: /\b(read|show|open|cat|print|display|view)\b|读取|读一下|读|查看|打开|显示|看看|看一下/i, toolWords: ['read', 'file', 'lines'] },
  { action: 'write', asks: /\b(write|create|save|put)\b|写入|写到|写|创建|新建|保存/i, toolWords: ['write', 'create', 'file', 'content'] },
  { action: 'ask', asks: /\b(what|which|who|when|where|does|is there)\b|什么|哪个|哪些|是谁/i, toolWords: ['read', 'file'] },
];

/** File kinds that people name, and the glob that means them. */
export const fileKinds: readonly { readonly names: RegExp; readonly extensions: readonly string[] }[] = [
  { names: /\btypescript\b|\.?\bts files?\b/i, extensions: ['ts'] },
  { names: /\bjavascript\b|\bjs files?\b/i, extensions: ['js'] },
  { names: /\bpython\b|\bpy files?\b/i, extensions: ['py'] },
  { names: /\bmarkdown\b|\bmd files?\b/i, extensions: ['md'] },
  { names: /\bjson\b(?=\s*(?:files?|文件))|json 文件/i, extensions: ['json'] },
  { names: /\byaml\b/i, extensions: ['yaml', 'yml'] },
  { names: /\bhtml\b/i, extensions: ['html'] },
  { names: /\bcss\b/i, extensions: ['css'] },
  { names: /\brust\b/i, extensions: ['rs'] },
  { names: /\bgo files?\b|\bgolang\b/i, extensions: ['go'] },
  { names: /\bjava files?\b/i, extensions: ['java'] },
  { names: /\btext files?\b|\btxt files?\b|文本文件/i, extensions: ['txt'] },
];

/** Words that say nothing about which tool is meant or what is asked. */
export const stopWords: ReadonlySet<string> = new Set(
  (
    'a an the of in on at to for from by with and or then is are was were be do does did it its this that these those there me my you your ' +
    'please can could would what which who how many much say says said about tell give has have file files folder directory all any'
  ).split(' '),
);

/** Chinese words for things that tools speak of in English. */
export const translations: readonly (readonly [RegExp, string])[] = [
  [/文件夹|目录/, 'directory'],
  [/文件/, 'file'],
  [/许可证|许可|授权/, 'license'],
  [/版本/, 'version'],
  [/名称|名字/, 'name'],
  [/描述|说明/, 'description'],
  [/单词|字数/, 'words'],
  [/天气/, 'weather'],
  [/时间/, 'time'],
  [/命令/, 'command'],
  [/行/, 'lines'],
];

/** The leading action first, then whatever else the text asks for. Empty when it asks for nothing known. */
export function actionsIn(text: string): ActionWords[] {
  return actions.filter((entry) => entry.asks.test(text));
}

export function isChinese(text: string): boolean {
  return /\p{Script=Han}/u.test(text);
}

/** Lower-case words, stop words left out, Chinese terms translated where known. */
export function wordsOf(text: string): string[] {
  const words = (text.toLowerCase().match(/[a-z][a-z0-9]+/g) ?? []).filter((word) => !stopWords.has(word));
  const translated = translations.filter(([pattern]) => pattern.test(text)).map(([, word]) => word);
  return [...new Set([...words, ...translated])];
}
