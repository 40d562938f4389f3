/** Lets a final answer pass only when it has the shape that was asked for; tells the model what is wrong, a few times. */
import type { AssistantMessage, UserMessage } from '../messages.js';
import type { Ending } from './ending.js';
import type { OutputCheck } from './run-job.js';
import { textOf } from './run-state.js';

const CORRECTIONS = 2;

export class OutputGate {
  private corrections = 0;
  private note: UserMessage | undefined;

  constructor(private readonly output: OutputCheck | undefined) {}

  /** What the next request has to say of the last answer. */
  takeNote(): { note?: UserMessage } {
    const { note } = this;
    this.note = undefined;
    return note === undefined ? {} : { note };
  }

  /** The ending with the checked value, or undefined when the model is to correct itself. */
  judge(ending: Ending | undefined, message: AssistantMessage): Ending | undefined {
    if (this.output === undefined || ending?.status !== 'completed') return ending;
    const checked = this.output.check(textOf(message));
    if (checked.ok) return { ...ending, output: checked.value };
    if (this.corrections >= CORRECTIONS) {
      return { status: 'failed', error: { code: 'invalid_output', message: `The final answer does not fit ${this.output.name}: ${checked.problem}` } };
    }
    this.corrections += 1;
    const text = `Your answer does not fit ${this.output.name}: ${checked.problem}. Answer again with one JSON object that fits, and nothing else.`;
    this.note = { role: 'user', content: [{ type: 'text', text }], origin: 'note' };
    return undefined;
  }
}
