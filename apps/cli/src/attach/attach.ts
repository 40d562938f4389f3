// What a message mentions with `@` goes with it: files as text or image, folders as a list. Read by the same tools, through the same dispatcher and
// policy, as when the model reads them; what may not be read, is missing or is too much is said, and the message goes without it.
import type { UserMessage } from '@haft/agent';
import { type Approver, type CallContext, type ContentPart, type ToolResult, ToolFailure, type Workspace } from '@haft/core';
import type { Runtime } from '../run/runtime.js';
import { type Candidate, findMentions, type Mention, withoutEscapes } from './mentions.js';

/** More than this of one message is left to the model's own tools. */
const mostMentions = 20;
const mostChars = 200_000;

export interface AttachRequest {
  runtime: Runtime;
  sessionId: string;
  approver: Approver | undefined;
  signal: AbortSignal;
  /** Whether the model can be sent images. */
  vision: boolean;
  /** Only the first so many characters of the text are the user's own. Default: all. */
  ownChars?: number;
}

export interface Attached {
  message: UserMessage;
  /** What became of each mention, to be shown. */
  notes: AttachNote[];
}

export interface AttachNote {
  text: string;
  attached: boolean;
}

/** The message with what it mentions. Never throws for a file: the note says what is wrong with it. */
export async function attachMentions(text: string, request: AttachRequest): Promise<Attached> {
  const own = text.slice(0, request.ownChars ?? text.length);
  const sent = withoutEscapes(own) + text.slice(own.length);
  const parts: ContentPart[] = [{ type: 'text', text: sent }];
  const notes: AttachNote[] = [];
  const mentions = findMentions(own);
  if (mentions.length > 0) await new Attacher(request, parts, notes).attachAll(mentions);
  return { message: { role: 'user', content: parts }, notes };
}

class Attacher {
  #chars = 0;
  #count = 0;

  constructor(
    private readonly request: AttachRequest,
    private readonly parts: ContentPart[],
    private readonly notes: AttachNote[],
  ) {}

  async attachAll(mentions: readonly Mention[]): Promise<void> {
    const { runtime, sessionId, approver, signal } = this.request;
    const services = runtime.host.openSession(`attach-${sessionId}`);
    const context: CallContext = { sessionId, services, signal, log: runtime.log, ...(approver === undefined ? {} : { approver }) };
    try {
      for (const mention of mentions) await this.#attach(mention, context);
    } finally {
      await services.dispose();
    }
  }

  async #attach({ raw, candidates }: Mention, context: CallContext): Promise<void> {
    const found = await firstThatIs(candidates, this.request.runtime.workspace);
    if (found === undefined) return this.#missing(raw);
    if ('problem' in found) return this.#refuse(raw, found.problem);
    if (this.#count >= mostMentions) return this.#refuse(raw, `a message takes ${mostMentions} of them at most`);
    this.#count += 1;
    const { path, lines, isFolder } = found;
    const name = isFolder ? 'list_dir' : 'read_file';
    if (this.request.runtime.host.registry.get(name) === undefined) return this.#refuse(raw, `there is no tool ${name} here`);
    const range = lines === undefined || isFolder ? {} : { offset: lines.first, ...(lines.last === undefined ? { limit: 1 } : { limit: Math.max(1, lines.last - lines.first + 1) }) };
    const id = `attach.${Date.now().toString(36)}.${this.#count}`;
    const result = await this.request.runtime.dispatcher.dispatch({ id, name, arguments: JSON.stringify({ path, ...range }) }, context);
    if (result.success) this.#add(raw, path, result);
    else this.#refuse(raw, (result.error ?? result.status).split('\n')[0] ?? '');
  }

  #add(raw: string, path: string, { content, data }: ToolResult): void {
    const given: readonly ContentPart[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    const image = given.find((part) => part.type === 'image');
    if (image !== undefined && !this.request.vision) return this.#refuse(raw, 'this model cannot see images');
    const text = given.map((part) => (part.type === 'text' ? part.text : '')).join('');
    if (this.#chars + text.length > mostChars) return this.#refuse(raw, `with it the message would be longer than ${mostChars} characters`);
    this.#chars += text.length;
    this.parts.push({ type: 'text', text: `\n\n<attached path=${JSON.stringify(path)}>\n${text.trimEnd()}\n</attached>` }, ...(image === undefined ? [] : [image]));
    this.notes.push({ text: `${raw}  ${sizeOf(data)}`, attached: true });
  }

  #refuse(raw: string, reason: string): void {
    this.notes.push({ text: `${raw} is not attached: ${reason}`, attached: false });
  }

  /** `@Injectable` in a text about code is no slip; something with a slash or an ending may be one. */
  #missing(raw: string): void {
    if (/[/\\]|\.\w+"?$/.test(raw)) this.notes.push({ text: `${raw}: there is no such file here; sent as it stands`, attached: false });
  }
}

type Found = (Candidate & { isFolder: boolean }) | { problem: string };

/** The first candidate that is there; a problem where it is there and may not be read. */
async function firstThatIs(candidates: readonly Candidate[], workspace: Workspace): Promise<Found | undefined> {
  for (const candidate of candidates) {
    try {
      const { kind } = await workspace.stat(candidate.path);
      return { ...candidate, isFolder: kind === 'directory' };
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error;
      if (!missing.has(error.code)) return { problem: error.message.split('\n')[0] ?? error.code };
    }
  }
  return undefined;
}

const missing: ReadonlySet<string> = new Set(['not_found', 'not_a_directory', 'invalid_path', 'invalid_arguments']);

/** What was attached, from the tool's own data. */
function sizeOf(data: unknown): string {
  const { kind, firstLine, lastLine, totalLines, width, height, entries, next } = (data ?? {}) as Record<string, unknown>;
  if (typeof width === 'number') return `image, ${width} × ${String(height)}`;
  if (kind !== 'text' || typeof lastLine !== 'number') return Array.isArray(entries) ? `folder, ${entries.length} ${entries.length === 1 ? 'entry' : 'entries'}` : 'folder';
  const whole = firstLine === 1 && next === undefined;
  if (whole) return `${lastLine} ${lastLine === 1 ? 'line' : 'lines'}`;
  return `lines ${String(firstLine)}–${lastLine}${typeof totalLines === 'number' ? ` of ${totalLines}` : ''}${next === undefined ? '' : '; the model can read on'}`;
}
