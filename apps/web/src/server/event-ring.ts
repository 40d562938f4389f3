/** The last events of a session, each with a running number, so that a reader who lost the connection can go on where it was. */
export interface NumberedEvent {
  body: object;
  /** From 1, without gaps, over all runs of the session in this process. */
  number: number;
  type: string;
  /** JSON text on one line. */
  data: string;
}

export class EventRing {
  private readonly events: NumberedEvent[] = [];
  private next = 1;

  constructor(private readonly size: number) {}

  /** The number of the newest event; 0 before the first. */
  get last(): number {
    return this.next - 1;
  }

  push(type: string, payload: object): NumberedEvent {
    const event = { number: this.next++, type, body: payload, data: JSON.stringify(payload) };
    this.events.push(event);
    if (this.events.length > this.size * 2) this.events.splice(0, this.events.length - this.size);
    return event;
  }

  /** The events after `number`; undefined when some of them are gone, or when the number was never given. */
  after(number: number): readonly NumberedEvent[] | undefined {
    if (number > this.last) return undefined;
    if (number === this.last) return [];
    const first = this.events[0]?.number ?? this.next;
    return number + 1 < first ? undefined : this.events.slice(number + 1 - first);
  }
}
