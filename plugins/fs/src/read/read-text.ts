/** Reads some lines of a text file, and says what was read and how to go on. */
import { ToolFailure, type Workspace, type WorkspaceFile, quotePath, streamDecoder } from '@haft/core';
import { type LineWindow, type WindowRequest, readLineWindow } from './line-window.js';
import { type TextSource, openText, unknownEncoding } from './text-source.js';

const maxChars = 50_000;
const maxLineChars = 2_000;
const countUpTo = 1024 * 1024;

export interface ReadRequest {
  path: string;
  offset: number;
  limit: number;
  column: number;
  encoding?: string | undefined;
}

export interface ReadTextResult {
  kind: 'text';
  path: string;
  /** The lines, joined by line feeds, without numbers. */
  content: string;
  firstLine: number;
  lastLine: number;
  /** Absent when the file is too long to be counted. */
  totalLines?: number;
  encoding: string;
  bytes: number;
  /** What the model should know beside the lines. */
  notes: string[];
  /** Arguments that read on; absent at the end. */
  next?: { path: string; offset: number; limit?: number; column?: number };
}

/** Throws `binary_file`, `unknown_encoding`, `out_of_range`. */
export async function readText(file: WorkspaceFile, head: Buffer, workspace: Workspace, asked: ReadRequest, signal?: AbortSignal): Promise<ReadTextResult> {
  const text = await openText(file, head, asked.path, { encoding: asked.encoding, maxBytes: workspace.maxFileBytes });
  let window = await readWindow(text, asked, asked.limit === 1 ? maxChars : maxLineChars, signal);
  const [only] = window.lines;
  if (window.lines.length === 1 && window.total === 1 && only !== undefined && only.after > 0) window = await readWindow(text, asked, maxChars, signal);
  if (window.invalid && text.format.basis === 'certain') throw unknownEncoding(asked.path);
  return describe(window, asked, text, file.sizeAtOpen);
}

async function readWindow(text: TextSource, asked: ReadRequest, maxLine: number, signal?: AbortSignal): Promise<LineWindow> {
  const request: WindowRequest = {
    offset: asked.offset, limit: asked.limit, column: asked.column,
    maxLineChars: maxLine, maxChars, head: text.head, skip: text.readAs.bom, countUpTo, utf8: text.readAs.encoding === 'utf-8', decoder: await streamDecoder(text.readAs),
  };
  return readLineWindow(text.source, request, signal);
}

function describe(window: LineWindow, asked: ReadRequest, text: TextSource, bytes: number): ReadTextResult {
  const { lines, total } = window;
  const { format } = text;
  checkRange(window, asked);
  const firstLine = lines[0]?.number ?? 0;
  const lastLine = lines.at(-1)?.number ?? 0;
  const next = nextCall(window, asked, lastLine);
  return {
    kind: 'text', path: asked.path, content: lines.map((line) => line.text).join('\n'), firstLine, lastLine,
    ...(total !== undefined && { totalLines: total }), encoding: format.encoding, bytes,
    notes: notesOf(window, asked, text, bytes), ...(next && { next }),
  };
}

function checkRange({ lines, total }: LineWindow, asked: ReadRequest): void {
  const [first] = lines;
  if (lines.length === 0 && asked.offset > 1) {
    throw new ToolFailure('out_of_range', `${quotePath(asked.path)} has ${total ?? 0} lines; offset ${asked.offset} is past its end.`);
  }
  if (first !== undefined && asked.column > 1 && first.text === '' && asked.column > first.before) {
    throw new ToolFailure('out_of_range', `Line ${first.number} of ${quotePath(asked.path)} has ${first.before} characters; column ${asked.column} is past its end.`);
  }
}

function nextCall({ lines, total }: LineWindow, asked: ReadRequest, lastLine: number): ReadTextResult['next'] {
  const [first] = lines;
  if (lines.length === 1 && first !== undefined && first.after > 0) {
    return { path: asked.path, offset: first.number, limit: 1, column: first.before + first.text.length + 1 };
  }
  return lines.length > 0 && (total === undefined || lastLine < total) ? { path: asked.path, offset: lastLine + 1 } : undefined;
}

function notesOf(window: LineWindow, asked: ReadRequest, { format, damaged }: TextSource, bytes: number): string[] {
  const { lines, total } = window;
  if (total === 0) return ['The file is empty.'];
  const last = lines.at(-1)?.number ?? 0;
  const notes = [total === undefined ? `Lines ${lines[0]?.number}-${last}; the file has ${bytes} bytes, its lines were not counted.` : `Lines ${lines[0]?.number}-${last} of ${total}.`];
  const cut = lines.filter((line) => line.after > 0 || line.before > 0);
  for (const line of cut.slice(0, 5)) notes.push(cutNote(line, asked, lines.length));
  if (cut.length > 5) notes.push(`${cut.length - 5} further lines are cut the same way.`);
  if (total === last && window.endsWithBreak === false) notes.push('No line break at the end of the file.');
  if (window.crlf) notes.push('Lines end in CR LF.');
  if (format.encoding !== 'utf-8' || format.basis !== 'certain') notes.push(`Encoding: ${format.encoding}${format.basis === 'likely' ? ' (judged from the bytes)' : ''}.`);
  if (format.bom > 0) notes.push('The file begins with a byte order mark, which is not shown.');
  const image = /\.(png|jpe?g|gif|webp)$/i.exec(asked.path)?.[1];
  if (image !== undefined) notes.push(`The name says ${image}, but this is text, not an image.`);
  if (window.invalid || damaged) notes.push(`Some bytes mean nothing in ${format.encoding} and are shown as U+FFFD.`);
  return notes;
}

function cutNote(line: LineWindow['lines'][number], asked: ReadRequest, shownLines: number): string {
  const from = line.before + 1;
  const to = line.before + line.text.length;
  const how = line.after === 0 || shownLines === 1 ? '' : ` The rest: ${JSON.stringify({ path: asked.path, offset: line.number, limit: 1, column: to + 1 })}`;
  return `Line ${line.number}: characters ${from}-${to} of ${line.roughly ? 'about ' : ''}${line.before + line.text.length + line.after}.${how}`;
}

/** The text that the model reads: numbered lines, then the notes and the call that reads on. */
export function formatRead(result: ReadTextResult): string {
  let shown = '';
  let number = result.firstLine;
  // One loop: this is the longest part of a reading that finds what it wants at once.
  if (result.lastLine > 0) for (const line of result.content.split('\n')) shown += `${number++}\t${line}\n`;
  const next = result.next ? [`Go on with ${JSON.stringify(result.next)}`] : [];
  return `${shown}[${[...result.notes, ...next].join(' ')}]`;
}
