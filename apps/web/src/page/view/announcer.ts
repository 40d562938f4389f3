/** Reads answers to screen readers sentence by sentence: a live region that gets whole sentences, not every token. */
const sentenceEnd = /[.!?。！？]["'”’)]?(?=\s|$)|\n/g;

export class Announcer {
  #spoken = 0;
  #id: string | undefined;

  constructor(private readonly region: HTMLElement) {}

  /** `text` is the whole answer so far. */
  follow(id: string, text: string, isFinished: boolean): void {
    if (this.#id !== id) {
      this.#id = id;
      this.#spoken = 0;
    }
    const end = isFinished ? text.length : lastSentenceEnd(text);
    if (end <= this.#spoken) return;
    this.say(text.slice(this.#spoken, end));
    this.#spoken = end;
  }

  say(text: string): void {
    this.region.textContent = text.trim();
  }
}

function lastSentenceEnd(text: string): number {
  let end = 0;
  for (const match of text.matchAll(sentenceEnd)) end = match.index + match[0].length;
  return end;
}
