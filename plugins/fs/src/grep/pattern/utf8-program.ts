/** A pattern as a program over bytes of UTF-8: a Thompson automaton, forwards or backwards. */
import { ToolFailure } from '@haft/core';
import { type CodePoints, without } from './code-points.js';
import type { Assertion, PatternNode } from './pattern-node.js';
import { type ByteSequence, utf8Sequences } from './utf8-ranges.js';

const maxInstructions = 60_000;

export type Instruction =
  | { op: 'bytes'; from: number; to: number; next: number }
  | { op: 'split'; nexts: readonly number[] }
  | { op: 'assert'; assertion: Assertion; next: number }
  | { op: 'match' };

export interface Program {
  instructions: readonly Instruction[];
  start: number;
  /** Reads the text from its end to its start. */
  backwards: boolean;
}

export interface ProgramOptions {
  backwards: boolean;
  /** Whether a match may hold line feeds. */
  multiline: boolean;
}

/** Throws `invalid_pattern` when the pattern would need too large a program. */
export function compileProgram(node: PatternNode, options: ProgramOptions): Program {
  const compiler = new Compiler(options);
  const match = compiler.add({ op: 'match' });
  const start = compiler.compile(node, match);
  return { instructions: compiler.instructions, start, backwards: options.backwards };
}

/** Builds from the end: each part is given where to go on, and returns where it begins. */
class Compiler {
  readonly instructions: Instruction[] = [];
  private readonly sets = new Map<CodePoints, readonly ByteSequence[]>();

  constructor(private readonly options: ProgramOptions) {}

  add(instruction: Instruction): number {
    if (this.instructions.length >= maxInstructions) throw new ToolFailure('invalid_pattern', 'The regular expression is too large when its repetitions are written out. Use smaller counts.');
    return this.instructions.push(instruction) - 1;
  }

  compile(node: PatternNode, next: number): number {
    switch (node.kind) {
      case 'set':
        return this.set(node.ranges, next);
      case 'sequence': {
        const parts = this.options.backwards ? node.parts : node.parts.toReversed();
        return parts.reduce((after, part) => this.compile(part, after), next);
      }
      case 'choice':
        return this.add({ op: 'split', nexts: node.options.map((option) => this.compile(option, next)) });
      case 'repeat':
        return this.repeat(node, next);
      case 'assertion':
        return this.add({ op: 'assert', assertion: node.assertion, next });
    }
  }

  private repeat({ part, least, most }: Extract<PatternNode, { kind: 'repeat' }>, next: number): number {
    let at = next;
    if (most === Number.POSITIVE_INFINITY) {
      const nexts: number[] = [next];
      at = this.add({ op: 'split', nexts });
      nexts.push(this.compile(part, at));
    } else {
      for (let count = least; count < most; count++) at = this.add({ op: 'split', nexts: [this.compile(part, at), next] });
    }
    for (let count = 0; count < least; count++) at = this.compile(part, at);
    return at;
  }

  private set(ranges: CodePoints, next: number): number {
    let sequences = this.sets.get(ranges);
    if (sequences === undefined) {
      sequences = utf8Sequences(this.options.multiline ? ranges : without(ranges, 10));
      this.sets.set(ranges, sequences);
    }
    const starts = sequences.map((sequence) => {
      const bytes = this.options.backwards ? sequence : sequence.toReversed();
      return bytes.reduce((after, [from, to]) => this.add({ op: 'bytes', from, to, next: after }), next);
    });
    const [only] = starts;
    return starts.length === 1 && only !== undefined ? only : this.add({ op: 'split', nexts: starts });
  }
}
