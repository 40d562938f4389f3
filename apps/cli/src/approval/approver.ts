// Who answers when policy says "ask": the person at the terminal, or --yes.
import type { ApprovalAnswer, ApprovalRequest, Approver } from '@haft/core';
import { keys, type Keyboard } from '../input/keyboard.js';
import type { LineEditor } from '../input/line-editor.js';
import type { Terminal } from '../output/terminal.js';
import { describeRequest, isDiffCut } from './describe-request.js';

/** Approves what would be asked (`--yes`); what policy denies stays denied. */
export const approveAll: Approver = { ask: () => Promise.resolve({ answer: 'once' }) };

export interface TerminalApproverOptions {
  terminal: Terminal;
  keyboard: Keyboard;
  editor: LineEditor;
  /** Ctrl-C at the question. */
  onInterrupt: () => void;
}

/** Asks at the terminal, one question at a time. */
export class TerminalApprover implements Approver {
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: TerminalApproverOptions) {}

  ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    const answer = this.#last.then(() => this.#ask(request, signal));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    const { terminal } = this.options;
    const stopAsking = terminal.startAsking();
    try {
      for (let whole = false; ; ) {
        if (signal.aborted) return { answer: 'deny' };
        terminal.say(describeRequest(request, terminal, { whole }));
        const key = await this.#key(allowedKeys(request), signal);
        whole ||= key === 'd';
        const answer = await this.#answerFor(key, request);
        if (answer !== undefined) return answer;
      }
    } finally {
      stopAsking();
    }
  }

  async #answerFor(key: string, request: ApprovalRequest): Promise<ApprovalAnswer | undefined> {
    switch (key) {
      case 'y':
        return { answer: 'once' };
      case 'a':
        return { answer: 'session' };
      case 'p':
        return { answer: 'always' };
      case 'N':
        return this.#denyWithReason();
      case 'e':
        return this.#edit(request);
      case 'd':
        return undefined;
      default:
        return { answer: 'deny' };
    }
  }

  /** One key that was pressed after the question was shown. A paste or a burst is no answer. */
  #key(allowed: string, signal: AbortSignal): Promise<string> {
    const { keyboard, terminal, onInterrupt } = this.options;
    return new Promise((resolve) => {
      const shownAt = performance.now();
      const finish = (key: string, shown: string): void => {
        release();
        signal.removeEventListener('abort', stop);
        terminal.say(`${shown}\n`);
        resolve(key);
      };
      const stop = (): void => finish('n', 'stopped');
      const release = keyboard.listen((chunk) => {
        if (chunk === keys.ctrlC) {
          finish('n', '^C');
          onInterrupt();
        } else if (chunk === keys.escape) finish('n', 'no');
        else if (performance.now() - shownAt > typedAheadMs && chunk.length === 1 && allowed.includes(chunk)) finish(chunk, chunk);
      });
      signal.addEventListener('abort', stop, { once: true });
    });
  }

  /** Undefined: asked again, because Esc took the answer back. */
  async #denyWithReason(): Promise<ApprovalAnswer | undefined> {
    const outcome = await this.options.editor.read({ prompt: 'Reason, for the model (Esc goes back): ', escapeEnds: true });
    if (outcome.kind === 'end') return undefined;
    const reason = outcome.kind === 'line' ? outcome.text.trim() : '';
    return { answer: 'deny', ...(reason === '' ? {} : { reason }) };
  }

  /** Undefined: asked again, because the edit was given up or changed nothing. What is no JSON object is edited further. */
  async #edit(request: ApprovalRequest): Promise<ApprovalAnswer | undefined> {
    const initial = JSON.stringify(request.arguments);
    for (let text = initial; ; ) {
      const outcome = await this.options.editor.read({ prompt: 'Arguments: ', initial: text, escapeEnds: true, external: { fileName: 'arguments.json', show: inLines } });
      if (outcome.kind !== 'line') return undefined;
      const edited = objectIn(outcome.text);
      if (edited !== undefined) return JSON.stringify(edited) === initial ? undefined : { answer: 'edit', arguments: edited };
      this.options.terminal.say('That is not a JSON object. Esc gives the edit up.\n');
      text = outcome.text;
    }
  }
}

function objectIn(text: string): ApprovalRequest['arguments'] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as ApprovalRequest['arguments']) : undefined;
  } catch {
    return undefined;
  }
}

/** JSON as it is easiest to edit. */
function inLines(text: string): string {
  const value = objectIn(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}

/** Keys in the terminal's buffer when the question appears were not meant for it. */
const typedAheadMs = 150;

function allowedKeys(request: ApprovalRequest): string {
  return `ynNe${request.decision.suggestion === undefined ? '' : 'ap'}${isDiffCut(request) ? 'd' : ''}`;
}
