/** A conversation with a provider, frozen: what was asked and answered, without secrets. Kept as JSON, so that it can be read and compared. */
import { readFile, writeFile } from 'node:fs/promises';

export interface Cassette {
  version: 1;
  interactions: Interaction[];
}

export interface Interaction {
  request: {
    /** Below the base URL, e.g. `/chat/completions`. */
    path: string;
    body: unknown;
  };
  response: {
    status: number;
    /** Only those that a client reads: content type, retry and limit headers. */
    headers: Record<string, string>;
    /** Where the answer was JSON. */
    body?: unknown;
    /** Any other answer, e.g. the events of a stream as they came, by lines. */
    lines?: string[];
  };
}

/** Reads a cassette; the error names the file and what is wrong with it. */
export async function loadCassette(file: string): Promise<Cassette> {
  const value = parse(await readFile(file, 'utf8'), file) as Partial<Cassette> | null;
  if (value?.version !== 1 || !Array.isArray(value.interactions)) throw new Error(`${file} is no cassette of version 1.`);
  return value as Cassette;
}

export async function saveCassette(file: string, cassette: Cassette): Promise<void> {
  await writeFile(file, `${JSON.stringify(cassette, null, 2)}\n`);
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Error(`${file} is no cassette: it is not JSON.`, { cause: error });
  }
}

const keptHeaders = /^(content-type|retry-after(-ms)?|x-should-retry|(x|anthropic)-ratelimit-.*)$/;

export function headersToKeep(headers: Headers): Record<string, string> {
  const kept: Record<string, string> = {};
  headers.forEach((value, name) => {
    if (keptHeaders.test(name)) kept[name] = value;
  });
  return kept;
}
