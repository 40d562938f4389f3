/** Between a run that pushes its events and a reader that pulls them. */
import type { AgentEvent } from '../events.js';

export class EventQueue {
  private events: AgentEvent[] = [];
  private wake: (() => void) | undefined;
  private closed = false;

  push(event: AgentEvent): void {
    this.events.push(event);
    this.wake?.();
  }

  close(): void {
    this.closed = true;
    this.wake?.();
  }

  /** Everything that has come in since the last time, in order; empty at the end. */
  async take(): Promise<AgentEvent[]> {
    while (this.events.length === 0 && !this.closed) {
      await new Promise<void>((resolve) => (this.wake = resolve));
      this.wake = undefined;
    }
    const taken = this.events;
    this.events = [];
    return taken;
  }
}
