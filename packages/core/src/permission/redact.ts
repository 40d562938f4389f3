/** Redaction by value: every known secret, in every form it is likely to take on its way out. */
import type { Redactor } from './ports.js';
import { encodingsOf } from './secret-encodings.js';

export const redactionMark = '[redacted]';

export interface ValueRedactor extends Redactor {
  /** Where forms of secrets lie in the text, merged and in order. */
  find(text: string): Span[];
  /** Index from which the text may be the beginning of a longer form; the text's length when it is not. */
  openEnd(text: string): number;
}

export interface Span {
  start: number;
  end: number;
}

/** Shorter values are words of everyday text; replacing them would ruin every output. */
const minSecretChars = 6;
const minLineChars = 16;

/** Values shorter than 6 characters are left alone. Of a value of several lines (a key file) each line counts too. */
export function createRedactor(secrets: Iterable<string>): ValueRedactor {
  const values = Array.from(secrets, (secret) => [secret, secret.trim(), ...linesOf(secret)]).flat();
  const forms = new FormIndex([...new Set(values.filter((value) => value.length >= minSecretChars).flatMap(encodingsOf))]);
  return {
    find: (text) => forms.find(text),
    openEnd: (text) => forms.openEnd(text),
    redact: (text) => replaceSpans(text, forms.find(text)),
  };
}

/** As a search or a pager would show them; the frame of a PEM file is no secret. */
function linesOf(secret: string): string[] {
  const lines = secret.split(/\r?\n/).map((line) => line.trim());
  return lines.length === 1 ? [] : lines.filter((line) => line.length >= minLineChars && !line.startsWith('-----'));
}

export function replaceSpans(text: string, spans: readonly Span[]): string {
  let out = '';
  let from = 0;
  for (const { start, end } of spans) {
    out += text.slice(from, start) + redactionMark;
    from = end;
  }
  return out + text.slice(from);
}

/** All forms under their first characters: one expression finds these, and what follows is compared. Long secrets cost no more. */
class FormIndex {
  private readonly byBeginning = new Map<string, string[]>();
  private readonly beginnings: RegExp;

  constructor(private readonly forms: readonly string[]) {
    // Longest first, so that the first that fits is the longest that does.
    for (const form of forms.toSorted((left, right) => right.length - left.length)) {
      const beginning = form.slice(0, minSecretChars);
      const others = this.byBeginning.get(beginning);
      if (others) others.push(form);
      else this.byBeginning.set(beginning, [form]);
    }
    const source = [...this.byBeginning.keys()].map((text) => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')).join('|');
    this.beginnings = new RegExp(source === '' ? '(?!)' : source, 'g');
  }

  /** A hit is searched again from its second character, so secrets that overlap are found too. */
  find(text: string): Span[] {
    const spans: Span[] = [];
    for (const { index, candidates } of this.hits(text)) {
      const form = candidates.find((candidate) => text.startsWith(candidate, index));
      if (form !== undefined) merge(spans, { start: index, end: index + form.length });
    }
    return spans;
  }

  openEnd(text: string): number {
    for (const { index, candidates } of this.hits(text)) {
      const rest = text.length - index;
      if (candidates.some((form) => form.length > rest && form.startsWith(text.slice(index)))) return index;
    }
    for (let index = Math.max(0, text.length - minSecretChars + 1); index < text.length; index++) {
      const rest = text.slice(index);
      if (this.forms.some((form) => form.startsWith(rest))) return index;
    }
    return text.length;
  }

  private *hits(text: string): Generator<{ index: number; candidates: readonly string[] }> {
    this.beginnings.lastIndex = 0;
    for (let hit = this.beginnings.exec(text); hit; hit = this.beginnings.exec(text)) {
      const { lastIndex } = this.beginnings;
      yield { index: hit.index, candidates: this.byBeginning.get(hit[0]) ?? [] };
      this.beginnings.lastIndex = lastIndex - hit[0].length + 1;
    }
  }
}

function merge(spans: Span[], next: Span): void {
  const last = spans.at(-1);
  if (last && next.start < last.end) last.end = Math.max(last.end, next.end);
  else spans.push(next);
}
