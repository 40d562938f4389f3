/** Puts an answer together from tool results: figures where a number was asked for, the named value where one was, else the text itself. */
import type { Clause } from './clauses.js';
import { actionsIn, isChinese, wordsOf } from './lexicon.js';

export interface Outcome {
  tool: string;
  arguments: string;
  succeeded: boolean;
  code?: string;
  text: string;
}

/** Longest text that is quoted whole in an answer, in characters. */
const longestQuote = 4_000;

export function answerFor(clause: Clause, outcome: Outcome): string {
  const chinese = isChinese(clause.text);
  if (!outcome.succeeded) {
    const code = outcome.code ? ` (${outcome.code})` : '';
    const text = outcome.text.replace(`${outcome.code ?? ''}: `, '');
    return chinese ? `${outcome.tool} 没有成功${code}：${text}` : `${outcome.tool} did not succeed${code}: ${text}`;
  }
  return countAnswer(clause, outcome, chinese) ?? valueAnswer(clause, outcome, chinese) ?? quoted(outcome, chinese);
}

function countAnswer(clause: Clause, outcome: Outcome, chinese: boolean): string | undefined {
  if (!actionsIn(clause.text).some((entry) => entry.action === 'count')) return undefined;
  const count = statedCount(outcome.text);
  if (count === undefined) return undefined;
  return chinese ? `${clause.text.replace(/[?？。]+$/u, '')}：${count}（${outcome.tool} ${outcome.arguments}）` : `${count} — ${subjectOf(clause.text)} (${outcome.tool} ${outcome.arguments})`;
}

function subjectOf(question: string): string {
  const subject = /\bhow many\s+(.*?)(?:\s+are there)?[?.]*$/i.exec(question)?.[1] ?? question;
  return subject.replace(/[?.]+$/, '').replace(/\b(?:are|is)\s+(?=in\b|under\b)/i, '');
}

/** A total that the tool states ("312 files"), else the number of lines it listed. */
function statedCount(text: string): number | undefined {
  const total = /(?:^|\n)[^\n]*?\b(\d[\d,]*)\s+(?:files?|matches|match|entries|entry|lines?|words?|results?|paths?|items?)\b/i.exec(text) ?? /\btotal:?\s+(\d[\d,]*)/i.exec(text);
  if (total?.[1]) return Number(total[1].replaceAll(',', ''));
  const bare = /^\s*(-?\d+)\s*$/.exec(text)?.[1];
  if (bare) return Number(bare);
  if (/^(?:no |nothing|\(no )/i.test(text.trim())) return 0;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.length > 0 ? lines.length : undefined;
}

function valueAnswer(clause: Clause, outcome: Outcome, chinese: boolean): string | undefined {
  if (!actionsIn(clause.text).some((entry) => entry.action === 'ask')) return undefined;
  const found = findValue(outcome.text, wordsOf(clause.text));
  if (!found) return undefined;
  const source = sourceOf(outcome);
  return chinese ? `${source} 中的 ${found.key} 是 ${found.value}` : `${source} says: ${found.key} is ${found.value}`;
}

function sourceOf(outcome: Outcome): string {
  const path: unknown = (JSON.parse(outcome.arguments) as Record<string, unknown>)['path'];
  return typeof path === 'string' ? path : outcome.tool;
}

function findValue(text: string, words: readonly string[]): { key: string; value: string } | undefined {
  for (const line of text.split('\n')) {
    const match = /^\s*(?:\d+\s*[|:\t→]\s*)?\s*["']?(?<key>[A-Za-z][\w .-]*?)["']?\s*[:=]\s*(?<value>.+?)\s*,?\s*$/.exec(line);
    const key = match?.groups?.['key'];
    const value = match?.groups?.['value'];
    if (key && value && words.some((word) => sameWord(word, key.toLowerCase()))) return { key, value: value.replace(/^["'](.*)["']$/, '$1') };
  }
  return undefined;
}

/** British and American spellings count as one word ("licence", "license"). */
function sameWord(a: string, b: string): boolean {
  const plain = (word: string): string => word.replace(/ce$/, 'se').replace(/our\b/, 'or').replace(/ise/, 'ize').replace(/s$/, '');
  return plain(a) === plain(b);
}

function quoted(outcome: Outcome, chinese: boolean): string {
  const text = outcome.text.trimEnd();
  if (text.length <= longestQuote) return text;
  const rest = text.length - longestQuote;
  const cut = text.slice(0, longestQuote).replace(/[\uD800-\uDBFF]$/, '');
  return chinese ? `${cut}\n……（还有 ${rest} 个字符）` : `${cut}\n… (${rest} more characters)`;
}
