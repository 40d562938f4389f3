// A tool call in one line: name, the argument that matters, how it ended.
import type { ToolResult } from '@haft/core';
import { sanitiseLine } from './sanitise.js';
import type { Colors } from './colors.js';
import { cutToWidth, widthOf } from './width.js';
import { wrapWords } from './wrap-words.js';

/** Names of arguments that say best what a call is about, in order. */
const telling = ['command', 'pattern', 'query', 'url', 'path', 'file', 'name', 'dir'];

/** `read_file README.md`: the tool and its telling argument. */
export function callTitle(tool: string, args: unknown): string {
  const argument = tellingArgument(args);
  return sanitiseLine(argument === '' ? tool : `${tool} ${argument}`);
}

/** `✓ read_file README.md 12 ms first line of the result`, at most `columns` wide. What went wrong is never cut: it takes lines of its own. */
export function resultLine(title: string, result: ToolResult, colors: Colors, columns: number): string {
  const mark = result.success ? colors.green('✓') : colors.red('✗');
  const time = formatDuration(result.durationMs);
  const room = Math.max(10, columns - 3);
  const head = cutToWidth(title, Math.max(10, Math.floor(room / 2)));
  const left = Math.max(0, room - headWidth(head, time));
  const code = result.code ?? result.status;
  const outcome = sanitiseLine(result.success ? firstLine(result.content) : firstSentence(result.error ?? firstLine(result.content)));
  const line = `${mark} ${head} ${colors.dim(time)}`;
  if (result.success) return `${line} ${colors.dim(cutToWidth(outcome, left))}`.trimEnd();
  if (widthOf(`${code}: ${outcome}`) <= left) return `${line} ${colors.red(`${code}: ${outcome}`)}`;
  return [`${line} ${colors.red(code)}`, ...wrapWords(`  ${outcome}`, columns).split('\n').map(colors.red)].join('\n');
}

export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  return ms < 60_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}

function tellingArgument(args: unknown): string {
  if (typeof args === 'string') return tellingInText(args);
  if (typeof args !== 'object' || args === null) return '';
  const values = args as Record<string, unknown>;
  const name = telling.find((candidate) => typeof values[candidate] === 'string') ?? Object.keys(values).find((key) => typeof values[key] === 'string');
  return name === undefined ? '' : String(values[name]);
}

/** Of a call that got no further than its text. */
function tellingInText(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : tellingArgument(value);
  } catch {
    return text;
  }
}

function firstLine(content: ToolResult['content']): string {
  const text = typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join(' ');
  const written = text.split('\n').filter((line) => line.trim() !== '');
  // Notes of the tool, as "[Lines 1-2 of 2.]", are no lines of the result.
  const results = written.filter((line) => !/^\[.*\]$/.test(line));
  const lines = results.length > 0 ? results : written;
  // The number of a file's line would run into the time before it.
  const first = areNumbered(lines) ? (lines[0] ?? '').replace(/^\s*\d+\t/, '') : (lines[0] ?? '');
  return lines.length > 1 ? `${first} (+${lines.length - 1} ${lines.length === 2 ? 'line' : 'lines'})` : first;
}

function areNumbered(lines: readonly string[]): boolean {
  const [one, two] = lines.slice(0, 2).map((line) => /^\s*(\d+)\t/.exec(line)?.[1]);
  return one !== undefined && (lines.length === 1 || Number(two) > Number(one));
}

function firstSentence(text: string): string {
  return text.split('\n')[0] ?? '';
}

function headWidth(head: string, time: string): number {
  return widthOf(head) + time.length + 2;
}
