/** Joins the deltas of tool calls, whatever a server does with index, id and name. */
import type { ToolCallDelta } from './chunk.js';

export interface AssembledCall {
  id: string;
  name: string;
  arguments: string;
  extra?: unknown;
}

/**
 * The rules: the first non-empty id and name are kept. A delta belongs to the call at its index; without one, to the newest call.
 * It begins a new call, whatever its index says, when it brings a new id together with a name, or a name (and arguments) after the
 * arguments so far are whole. What never got a name or any argument is dropped: a hole in the indexes.
 */
export class CallAssembler {
  private readonly calls: AssembledCall[] = [];
  private readonly byIndex = new Map<number, AssembledCall>();

  feed(delta: ToolCallDelta): void {
    const id = delta.id ?? '';
    const name = delta.function?.name ?? delta.custom?.name ?? '';
    const text = argumentText(delta.function?.arguments ?? delta.custom?.input);
    const index = delta.index ?? undefined;
    const current = index === undefined ? this.calls.at(-1) : this.byIndex.get(index);
    const call = current === undefined || beginsAnother(current, id, name, text) ? this.begin() : current;
    if (index !== undefined) this.byIndex.set(index, call);
    if (call.id === '') call.id = id;
    if (call.name === '') call.name = name;
    call.arguments += text;
    if (delta.extra_content !== undefined) call.extra = delta.extra_content;
  }

  /** In the order in which they began; `{}` where no argument came. */
  finish(): AssembledCall[] {
    return this.calls
      .filter((call) => call.name !== '' || call.arguments !== '' || call.id !== '')
      .map((call) => (call.arguments.trim() === '' ? { ...call, arguments: '{}' } : call));
  }

  private begin(): AssembledCall {
    const call = { id: '', name: '', arguments: '' };
    this.calls.push(call);
    return call;
  }
}

function beginsAnother(current: AssembledCall, id: string, name: string, text: string): boolean {
  if (name === '') return false;
  if (id !== '' && current.id !== '' && id !== current.id) return true;
  if (current.name === '') return false;
  return text !== '' && isWhole(current.arguments);
}

function argumentText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
