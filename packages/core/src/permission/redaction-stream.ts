/** Redaction of text that arrives in pieces: a secret cut by a chunk border is still found. */
import { type ValueRedactor, replaceSpans } from './redact.js';

export interface RedactionStream {
  /** What can be shown now; the rest is held until it is known to be harmless. */
  write(chunk: string): string;
  /** What was held. */
  end(): string;
}

export function createRedactionStream(redactor: ValueRedactor): RedactionStream {
  let held = '';
  return {
    write(chunk) {
      const text = held + chunk;
      const spans = redactor.find(text);
      let cut = redactor.openEnd(text);
      for (const { start, end } of spans) if (start < cut && cut < end) cut = start;
      held = text.slice(cut);
      return replaceSpans(
        text.slice(0, cut),
        spans.filter(({ end }) => end <= cut),
      );
    },
    end() {
      const rest = redactor.redact(held);
      held = '';
      return rest;
    },
  };
}
