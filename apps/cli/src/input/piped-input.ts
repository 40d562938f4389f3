// The prompt of a one-shot run: the words of the command line, with what is piped in as a block behind them.

const maxChars = 1_000_000;
/** A pipe that says nothing for this long is not meant for us; without words there is nothing else to do but wait. */
const silenceMs = 2_000;

interface Input extends AsyncIterable<unknown> {
  readonly isTTY?: boolean;
  destroy(): unknown;
}

/** `words`, then `<stdin>` where something is piped in; only the piped text where there are no words. */
export async function promptFromInput(words: string, input: Input, note: (text: string) => void): Promise<string> {
  if (input.isTTY === true) return words.trim();
  const piped = await readPiped(input, words.trim() === '' ? Number.POSITIVE_INFINITY : silenceMs, note);
  if (words.trim() === '') return piped.trim();
  return piped.trim() === '' ? words.trim() : `${words.trim()}\n\n<stdin>\n${piped.replace(/\n$/, '')}\n</stdin>`;
}

async function readPiped(input: Input, patienceMs: number, note: (text: string) => void): Promise<string> {
  const decoder = new TextDecoder();
  const chunks = input[Symbol.asyncIterator]();
  let text = '';
  try {
    for (;;) {
      const next = await (text === '' ? firstOf(chunks.next(), patienceMs) : chunks.next());
      if (next === undefined) {
        note(`nothing came on stdin for ${patienceMs / 1_000} s; going on without it`);
        return '';
      }
      if (next.done === true) return text + decoder.decode();
      text += typeof next.value === 'string' ? next.value : decoder.decode(next.value as Uint8Array, { stream: true });
      if (text.length <= maxChars) continue;
      note(`stdin is longer than ${maxChars} characters; the rest is left out`);
      return `${text.slice(0, maxChars)}\n[cut here: the input is longer]`;
    }
  } finally {
    input.destroy();
  }
}

/** The promise's value, or undefined when it takes longer. */
async function firstOf<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  if (ms === Number.POSITIVE_INFINITY) return promise;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
