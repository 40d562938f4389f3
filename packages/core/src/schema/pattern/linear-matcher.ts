/**
 * Says whether a pattern occurs in a text, in time proportional to the text: it follows all ways through the pattern at once (Thompson 1968, in the form of
 * Pike's virtual machine) and never goes back.
 */
import { UnsupportedPattern, type PatternNode } from './parse-pattern.js';

type Assertion = Extract<PatternNode, { type: 'assertion' }>['kind'];
type Instruction =
  | { code: 'character'; matches: (character: string) => boolean }
  | { code: 'assertion'; kind: Assertion }
  | { code: 'fork'; targets: number[] }
  | { code: 'match' };

/** A pattern that needs more is refused: each takes part in every step. */
const mostInstructions = 2_000;

/** @throws UnsupportedPattern for a pattern that is too large once its counted repeats are written out. */
export function linearMatcher(pattern: PatternNode, flags: string): (text: string) => boolean {
  const program: Instruction[] = [];
  emit(pattern, program);
  program.push({ code: 'match' });
  return (text) => run(program, text, flags.includes('m'));
}

function emit(node: PatternNode, program: Instruction[]): void {
  if (program.length > mostInstructions) throw new UnsupportedPattern('it is too large');
  switch (node.type) {
    case 'character': program.push({ code: 'character', matches: node.matches }); break;
    case 'assertion': program.push({ code: 'assertion', kind: node.kind }); break;
    case 'sequence': for (const part of node.parts) emit(part, program); break;
    case 'choice': emitChoice(node.options, program); break;
    case 'repeat': emitRepeat(node, program); break;
  }
}

function emitChoice(options: readonly PatternNode[], program: Instruction[]): void {
  const entry = { code: 'fork' as const, targets: [] as number[] };
  program.push(entry);
  const exits = options.map((option) => {
    entry.targets.push(program.length);
    emit(option, program);
    const exit = { code: 'fork' as const, targets: [] as number[] };
    program.push(exit);
    return exit;
  });
  for (const exit of exits) exit.targets.push(program.length);
}

function emitRepeat({ of, min, max }: Extract<PatternNode, { type: 'repeat' }>, program: Instruction[]): void {
  for (let count = 0; count < min; count += 1) emit(of, program);
  if (max === Infinity) {
    const loop = { code: 'fork' as const, targets: [program.length + 1] };
    const start = program.push(loop) - 1;
    emit(of, program);
    program.push({ code: 'fork', targets: [start] });
    loop.targets.push(program.length);
    return;
  }
  const skips = Array.from({ length: max - min }, () => {
    const skip = { code: 'fork' as const, targets: [program.length + 1] };
    program.push(skip);
    emit(of, program);
    return skip;
  });
  for (const skip of skips) skip.targets.push(program.length);
}

function run(program: readonly Instruction[], text: string, isMultiline: boolean): boolean {
  const characters = Array.from(text);
  const reached = new Uint32Array(program.length);
  let states: number[] = [];
  for (let position = 0; position <= characters.length; position += 1) {
    const stack = [0, ...states];
    states = [];
    while (stack.length > 0) {
      const index = stack.pop() ?? 0;
      // Each instruction takes part once per position.
      if (reached[index] === position + 1) continue;
      reached[index] = position + 1;
      const instruction = program[index];
      if (instruction?.code === 'match') return true;
      if (instruction?.code === 'fork') stack.push(...instruction.targets);
      else if (instruction?.code === 'assertion' && holds(instruction.kind, characters, position, isMultiline)) stack.push(index + 1);
      else if (instruction?.code === 'character' && position < characters.length && instruction.matches(characters[position] ?? '')) states.push(index + 1);
    }
  }
  return false;
}

function holds(kind: Assertion, characters: readonly string[], position: number, isMultiline: boolean): boolean {
  if (kind === 'start') return position === 0 || (isMultiline && isLineEnd(characters[position - 1]));
  if (kind === 'end') return position === characters.length || (isMultiline && isLineEnd(characters[position]));
  const isBoundary = isWord(characters[position - 1]) !== isWord(characters[position]);
  return isBoundary === (kind === 'boundary');
}

function isLineEnd(character: string | undefined): boolean {
  return character !== undefined && /^[\n\r\u2028\u2029]$/.test(character);
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /^\w$/.test(character);
}
