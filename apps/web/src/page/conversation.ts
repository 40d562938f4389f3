/** The conversation as a list of items, built from the stored messages and then from events alone. No DOM. */
import type { AgentEvent, Message, UserMessage } from '@haft/agent';
import type { ApprovalRequest, ToolResult } from '@haft/core';

export interface UserItem {
  kind: 'user';
  id: string;
  text: string;
  images: { mediaType: string; data: string }[];
}

export interface AnswerItem {
  kind: 'answer';
  id: string;
  text: string;
  reasoning: string;
  isOpen: boolean;
}

export interface ToolItem {
  kind: 'tool';
  id: string;
  tool: string;
  arguments: string;
  status: 'running' | 'waiting' | ToolResult['status'];
  progress?: string;
  output: string;
  content?: string;
  images: { mediaType: string; data: string }[];
  diff?: string;
  code?: string;
  durationMs?: number;
  /** Open as long as it is not answered. */
  question?: ApprovalRequest | undefined;
}

export interface NoteItem {
  kind: 'note';
  id: string;
  tone: 'info' | 'error';
  note: 'retrying' | 'repaired' | 'compacted' | 'runFailed' | 'maxTurns' | 'budget' | 'stopped';
  detail: string;
}

export type Item = UserItem | AnswerItem | ToolItem | NoteItem;

/** Most characters of a running tool's output that are kept. */
const maxOutput = 100_000;

export class Conversation {
  readonly items: Item[] = [];
  isRunning = false;
  usage = { input: 0, output: 0 };
  /** Messages that were sent while the model works and that it has not read. */
  queued: string[] = [];
  #pendingImages: UserItem['images'] = [];

  /** Calls `onChange` with each item that is new or changed. */
  constructor(private readonly onChange: (item: Item) => void) {}

  load(messages: readonly Message[], input?: UserMessage): void {
    for (const [index, message] of messages.entries()) this.#addMessage(message, `m${index}`);
    if (input) this.#pendingImages = imagesOf(input.content);
  }

  /** Images that the next `run_started` belongs to: events carry the text alone. */
  expectImages(images: UserItem['images']): void {
    this.#pendingImages = images;
  }

  apply(event: AgentEvent): void {
    switch (event.type) {
      case 'run_started':
        this.isRunning = true;
        this.#put({ kind: 'user', id: event.id, text: event.prompt, images: this.#pendingImages });
        this.#pendingImages = [];
        // What came too late for the run before is the prompt of this one.
        if (event.prompt === this.queued.join('\n\n')) this.queued = [];
        return this.#readQueued(event.id);
      case 'text_delta':
      case 'reasoning_delta':
        return this.#addDelta(event);
      case 'retrying':
        this.#dropOpenAnswer();
        return this.#note(event.id, 'info', 'retrying', event.message);
      case 'tool_call_started':
        this.#closeAnswer();
        return this.#startTool(event);
      case 'tool_call_approval':
        return this.#ask(event);
      case 'tool_call_progress':
        return this.#update(event.callId, { progress: typeof event.update === 'string' ? event.update : progressText(event.update) });
      case 'tool_call_output':
        return this.#addOutput(event.callId, event.chunk);
      case 'tool_call_finished':
        return this.#finishTool(event.callId, event.result);
      case 'turn_finished':
        return this.#closeAnswer();
      case 'history_repaired':
        return this.#note(event.id, 'info', 'repaired', event.repairs.join('; '));
      case 'context_compacted':
        return this.#note(event.id, 'info', 'compacted', `${event.before} → ${event.after}`);
      case 'run_finished':
        return this.#finishRun(event);
      case 'turn_started':
        return this.#readQueued(event.id);
    }
  }

  /** The model's next request carries them. */
  #readQueued(id: string): void {
    this.queued.forEach((text, index) => this.#put({ kind: 'user', id: `${id}/${index}`, text, images: [] }));
    this.queued = [];
  }

  #addDelta(event: Extract<AgentEvent, { type: 'text_delta' | 'reasoning_delta' }>): void {
    let last = this.items.at(-1);
    if (last?.kind !== 'answer' || !last.isOpen) {
      last = { kind: 'answer', id: event.id, text: '', reasoning: '', isOpen: true };
      this.items.push(last);
    }
    if (event.type === 'text_delta') last.text += event.text;
    else last.reasoning += event.text;
    this.onChange(last);
  }

  /** A turn that is tried again begins anew: what was shown of it goes. */
  #dropOpenAnswer(): void {
    const last = this.items.at(-1);
    if (last?.kind !== 'answer' || !last.isOpen) return;
    last.text = '';
    last.reasoning = '';
    last.isOpen = false;
    this.onChange(last);
  }

  #closeAnswer(): void {
    const open = this.items.findLast((item) => item.kind === 'answer');
    if (open?.kind !== 'answer' || !open.isOpen) return;
    open.isOpen = false;
    this.onChange(open);
  }

  #startTool(event: Extract<AgentEvent, { type: 'tool_call_started' }>): void {
    const text = typeof event.arguments === 'string' ? event.arguments : JSON.stringify(event.arguments, null, 2);
    this.#put({ kind: 'tool', id: event.callId, tool: event.tool, arguments: text, status: 'running', output: '', images: [] });
  }

  #ask(event: Extract<AgentEvent, { type: 'tool_call_approval' }>): void {
    if (event.answer) this.#update(event.callId, { question: undefined, status: 'running' });
    else this.#update(event.callId, { question: event.request, status: 'waiting', arguments: JSON.stringify(event.request.arguments, null, 2) }, true);
  }

  #addOutput(callId: string, chunk: string): void {
    const item = this.#tool(callId);
    if (!item) return;
    item.output = (item.output + chunk).slice(-maxOutput);
    this.onChange(item);
  }

  #finishTool(callId: string, result: ToolResult): void {
    const { status, durationMs, code } = result;
    const diff = (result.data as { diff?: unknown } | null | undefined)?.diff;
    this.#update(callId, {
      status,
      durationMs,
      content: textOf(result.content),
      images: typeof result.content === 'string' ? [] : imagesOf(result.content),
      ...(code === undefined ? {} : { code }),
      ...(typeof diff === 'string' ? { diff } : {}),
    });
  }

  #finishRun(event: Extract<AgentEvent, { type: 'run_finished' }>): void {
    this.isRunning = false;
    this.#closeAnswer();
    this.usage = { input: this.usage.input + event.usage.input, output: this.usage.output + event.usage.output };
    const detail = event.error?.message ?? '';
    if (event.status === 'failed') this.#note(event.id, 'error', 'runFailed', detail);
    if (event.status === 'cancelled') this.#note(event.id, 'info', 'stopped', detail);
    if (event.status === 'max_turns') this.#note(event.id, 'error', 'maxTurns', detail);
    if (event.status === 'budget_exceeded') this.#note(event.id, 'error', 'budget', detail);
  }

  #addMessage(message: Message, id: string): void {
    if (message.role === 'user') this.#put({ kind: 'user', id, text: textOf(message.content), images: imagesOf(message.content) });
    else if (message.role === 'tool') this.#update(message.callId, { status: message.status, content: textOf(message.content), images: imagesOf(message.content), ...(message.code === undefined ? {} : { code: message.code }) });
    else {
      const text = message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
      const reasoning = message.parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
      if (text !== '' || reasoning !== '') this.#put({ kind: 'answer', id, text, reasoning, isOpen: false });
      for (const part of message.parts) {
        if (part.type === 'tool_call') this.#put({ kind: 'tool', id: part.id, tool: part.name, arguments: pretty(part.arguments), status: 'unknown', output: '', images: [] });
      }
    }
  }

  #note(id: string, tone: NoteItem['tone'], note: NoteItem['note'], detail: string): void {
    this.#put({ kind: 'note', id, tone, note, detail });
  }

  #put(item: Item): void {
    this.items.push(item);
    this.onChange(item);
  }

  /** A question can come before the call's start is told: `create` makes the item then. */
  #update(callId: string, change: Partial<ToolItem>, create = false): void {
    let item = this.#tool(callId);
    if (!item && create) {
      item = { kind: 'tool', id: callId, tool: change.question?.tool ?? '', arguments: '', status: 'waiting', output: '', images: [] };
      this.items.push(item);
    }
    if (!item) return;
    Object.assign(item, change);
    this.onChange(item);
  }

  #tool(callId: string): ToolItem | undefined {
    const found = this.items.findLast((item) => item.kind === 'tool' && item.id === callId);
    return found?.kind === 'tool' ? found : undefined;
  }
}

type Content = UserMessage['content'];

function textOf(content: string | Content): string {
  return typeof content === 'string' ? content : content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

function imagesOf(content: Content): UserItem['images'] {
  return content.flatMap((part) => (part.type === 'image' ? [{ mediaType: part.mediaType, data: part.data }] : []));
}

function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

function progressText({ done, total, note }: { done: number; total?: number; note?: string }): string {
  return `${done}${total === undefined ? '' : ` / ${total}`}${note === undefined ? '' : ` ${note}`}`;
}
