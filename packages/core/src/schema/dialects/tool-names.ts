/** Tool names for a provider whose alphabet or length is smaller than ours: one-to-one, and mapped back. */
import { createHash } from 'node:crypto';

export interface NameAlphabet {
  /** Matches one allowed character. */
  character: RegExp;
  maxLength: number;
}

export interface ToolNames {
  /** The name that the provider is shown. */
  toProvider(name: string): string;
  /** Our name again; a name that was never shown comes back as it is, and is then an unknown tool. */
  fromProvider(name: string): string;
}

/** A name that fits stays as it is; another gets a short hash of itself, so that no two can meet. */
export function mapToolNames(names: Iterable<string>, alphabet: NameAlphabet): ToolNames {
  const all = [...new Set(names)];
  const shown = new Map(all.filter((name) => fits(name, alphabet)).map((name) => [name, name]));
  const taken = new Set(shown.values());
  for (const name of all) {
    if (shown.has(name)) continue;
    const given = freeName(name, alphabet, taken);
    shown.set(name, given);
    taken.add(given);
  }
  const back = new Map([...shown].map(([name, given]) => [given, name]));
  return { toProvider: (name) => shown.get(name) ?? name, fromProvider: (name) => back.get(name) ?? name };
}

function freeName(name: string, alphabet: NameAlphabet, taken: ReadonlySet<string>): string {
  const plain = Array.from(name, (character) => (alphabet.character.test(character) ? character : '_')).join('');
  for (let round = 0; ; round += 1) {
    const suffix = `_${createHash('sha256').update(`${round}${name}`).digest('hex').slice(0, 8)}`;
    const candidate = `${plain.slice(0, alphabet.maxLength - suffix.length)}${suffix}`;
    if (!taken.has(candidate)) return candidate;
  }
}

function fits(name: string, { character, maxLength }: NameAlphabet): boolean {
  return name !== '' && name.length <= maxLength && Array.from(name).every((one) => character.test(one));
}
