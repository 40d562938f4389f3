/**
 * Runs a program over bytes in one pass, whatever the pattern: the sets of places where the program can be become states, made when
 * first met. When there are too many, all are forgotten and made again.
 */
import type { Assertion } from './pattern-node.js';
import type { Program } from './utf8-program.js';

const maxStates = 4_096;
const unknown = -1;
const matched = -2;

/** What lies on one side of a position. */
const outside = 0;
const wordByte = 1;
const otherByte = 2;
const carriageReturn = 3;
type Side = typeof outside | typeof wordByte | typeof otherByte | typeof carriageReturn;

interface State {
  /** Instructions that wait, sorted. */
  waiting: readonly number[];
  /** The side that was left behind. */
  behind: Side;
}

export class LazyDfa {
  private readonly classOf = new Uint8Array(256);
  /** One byte of each class; the class after the last stands for the end. */
  private readonly samples: number[] = [];
  private readonly stride: number;
  private table: Int32Array;
  private states: State[] = [];
  private readonly index = new Map<string, number>();
  private generation = 0;

  /** `anchored`: matches must begin where the run begins. */
  constructor(private readonly program: Program, private readonly anchored: boolean) {
    this.findClasses();
    this.stride = this.samples.length + 1;
    this.table = new Int32Array(this.stride * 64);
  }

  /**
   * Forwards: the first position in `[from, to]` at which a match ends, or -1. The bytes beyond both ends count for assertions, so
   * `limit` says where the text itself ends.
   */
  findEnd(bytes: Uint8Array, from: number, to: number, limit: number): number {
    const { classOf, stride } = this;
    let { table } = this;
    let state = this.startState(from === 0 ? outside : sideOf(bytes[from - 1]));
    for (let at = from; at < to; at++) {
      const byteClass = classOf[bytes[at] ?? 0] ?? 0;
      let next = table[state * stride + byteClass] ?? unknown;
      if (next < 0) {
        if (next === unknown) next = this.step(state, byteClass);
        if (next === matched) return at;
        table = this.table;
      }
      state = next;
    }
    const last = to < limit ? (classOf[bytes[to] ?? 0] ?? 0) : stride - 1;
    return this.stepAt(state, last) === matched ? to : -1;
  }

  /** Backwards: the first position in `[to, from]` at which the longest match that ends at `from` begins, or -1. */
  findStart(bytes: Uint8Array, from: number, to: number, limit: number): number {
    let state = this.startState(from >= limit ? outside : sideOf(bytes[from]));
    let found = -1;
    for (let at = from; at >= to; at--) {
      const byteClass = at === 0 ? this.stride - 1 : (this.classOf[bytes[at - 1] ?? 0] ?? 0);
      if (this.accepts(state, byteClass)) found = at;
      if (at === to) break;
      state = this.advance(state, byteClass);
      if (this.states[state]?.waiting.length === 0) break;
    }
    return found;
  }

  private stepAt(state: number, byteClass: number): number {
    const next = this.table[state * this.stride + byteClass] ?? unknown;
    return next === unknown ? this.step(state, byteClass) : next;
  }

  private step(state: number, byteClass: number): number {
    const { generation } = this;
    const next = this.accepts(state, byteClass) ? matched : byteClass === this.stride - 1 ? state : this.advance(state, byteClass);
    // When the states were forgotten meanwhile, `state` is no longer this one: the answer is used, but not kept.
    if (generation === this.generation) this.table[state * this.stride + byteClass] = next;
    return next;
  }

  private accepts(state: number, byteClass: number): boolean {
    return this.closure(state, byteClass).some((at) => this.program.instructions[at]?.op === 'match');
  }

  private advance(state: number, byteClass: number): number {
    const byte = this.samples[byteClass] ?? 0;
    const nexts = new Set<number>();
    for (const at of this.closure(state, byteClass)) {
      const instruction = this.program.instructions[at];
      if (instruction?.op === 'bytes' && byte >= instruction.from && byte <= instruction.to) nexts.add(instruction.next);
    }
    if (!this.anchored) nexts.add(this.program.start);
    return this.stateFor([...nexts].sort((left, right) => left - right), sideOf(byte));
  }

  /** All instructions reached without reading, given what lies on both sides. */
  private closure(state: number, byteClass: number): number[] {
    const { waiting = [], behind = outside } = this.states[state] ?? {};
    const ahead = byteClass === this.stride - 1 ? outside : sideOf(this.samples[byteClass]);
    const seen = new Set<number>(waiting);
    for (const at of seen) {
      const instruction = this.program.instructions[at];
      if (instruction?.op === 'split') for (const next of instruction.nexts) seen.add(next);
      else if (instruction?.op === 'assert' && this.holds(instruction.assertion, behind, ahead)) seen.add(instruction.next);
    }
    return [...seen];
  }

  private holds(assertion: Assertion, behind: Side, ahead: Side): boolean {
    const edge = (behind === wordByte) !== (ahead === wordByte);
    if (assertion === 'word-edge') return edge;
    if (assertion === 'no-word-edge') return !edge;
    const [left, right] = this.program.backwards ? [ahead, behind] : [behind, ahead];
    return assertion === 'line-start' ? left === outside : right === outside || right === carriageReturn;
  }

  private startState(behind: Side): number {
    return this.stateFor([this.program.start], behind);
  }

  private stateFor(waiting: readonly number[], behind: Side): number {
    const key = `${behind}:${waiting.join()}`;
    const known = this.index.get(key);
    if (known !== undefined) return known;
    if (this.states.length >= maxStates) {
      this.generation++;
      this.states = [];
      this.index.clear();
      this.table.fill(unknown);
    }
    const state = this.states.push({ waiting, behind }) - 1;
    this.index.set(key, state);
    if ((state + 1) * this.stride > this.table.length) {
      const larger = new Int32Array(this.table.length * 2);
      larger.set(this.table);
      this.table = larger;
    }
    this.table.fill(unknown, state * this.stride, (state + 1) * this.stride);
    return state;
  }

  /** Bytes that no instruction and no assertion tells apart share a class. */
  private findClasses(): void {
    const edges = new Set<number>([0, 10, 11, 13, 14, 0x30, 0x3a, 0x41, 0x5b, 0x5f, 0x60, 0x61, 0x7b]);
    for (const instruction of this.program.instructions) {
      if (instruction.op !== 'bytes') continue;
      edges.add(instruction.from);
      edges.add(instruction.to + 1);
    }
    for (let byte = 0; byte < 256; byte++) {
      if (edges.has(byte)) this.samples.push(byte);
      this.classOf[byte] = this.samples.length - 1;
    }
  }
}

/** A line feed ends a line, thus lies outside it; a carriage return may belong to the line's end. */
function sideOf(byte: number | undefined): Side {
  if (byte === undefined || byte === 10) return outside;
  if (byte === 13) return carriageReturn;
  const word = (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a) || byte === 0x5f || (byte >= 0x61 && byte <= 0x7a);
  return word ? wordByte : otherByte;
}
