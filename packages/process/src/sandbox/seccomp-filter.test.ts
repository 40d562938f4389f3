// The seccomp filter, run instruction by instruction.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { seccompFilter } from './seccomp-filter.js';
import { type SyscallTable, syscallsOf } from './syscalls.js';

const ALLOW = 'allow';

/** Runs the program as the kernel does (Documentation/networking/filter.rst), on one call. */
function judge(program: Buffer, call: { number: number; audit: number; args?: number[] }): string {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call.number >>> 0, 0);
  data.writeUInt32LE(call.audit >>> 0, 4);
  for (const [index, value] of (call.args ?? []).entries()) data.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)), 16 + 8 * index);
  let accumulator = 0;
  for (let at = 0; at < program.length / 8; at += 1) {
    const [code, ifTrue, ifFalse, operand] = [program.readUInt16LE(at * 8), program.readUInt8(at * 8 + 2), program.readUInt8(at * 8 + 3), program.readUInt32LE(at * 8 + 4)];
    if (code === 0x20) accumulator = data.readUInt32LE(operand);
    else if (code === 0x15) at += accumulator === operand ? ifTrue : ifFalse;
    else if (code === 0x45) at += (accumulator & operand) !== 0 ? ifTrue : ifFalse;
    else if (code === 0x06) return operand === 0x7fff0000 ? ALLOW : operand === 0x80000000 ? 'kill' : `errno ${operand & 0xffff}`;
    else throw new Error(`unknown instruction ${code}`);
  }
  throw new Error('ran off the end');
}

describe.each(['x64', 'arm64'])('%s', (machine) => {
  const table = syscallsOf(machine) as SyscallTable;
  const program = seccompFilter(table);
  const { audit } = table;
  const call = (number: number, ...args: number[]): string => judge(program, { number, audit, args });
  const special = new Set([table.clone, table.clone3, table.ioctl, table.socket, table.openat2, ...Object.values(table.refused), ...[...Object.values(table.setMode), ...Object.values(table.open)].map(([number]) => number)]);

  test('another machine’s call is killed', () => {
    expect(judge(program, { number: 1, audit: 0x40000003 })).toBe('kill');
    if (machine === 'x64') expect(call(0x40000000 | 39)).toBe('errno 38');
  });

  test.each(Object.entries(table.refused))('%s is refused', (_, number) => {
    expect(call(number, -1, -1, -1)).toBe('errno 1');
  });

  test('law: what is not named is allowed, whatever its arguments', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 1000 }), fc.array(fc.integer(), { maxLength: 6 }), (number, args) => {
      fc.pre(!special.has(number));
      expect(call(number, ...args)).toBe(ALLOW);
    }), { numRuns: 1000 });
  });

  test('law: a clone is allowed unless it makes a namespace', () => {
    const namespaces = [0x80, 0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000];
    fc.assert(fc.property(fc.subarray(namespaces), fc.subarray([0x100, 0x200, 0x10000, 0x800000, 17]), (made, other) => {
      expect(call(table.clone, [...made, ...other].reduce((flags, flag) => flags | flag, 0))).toBe(made.length === 0 ? ALLOW : 'errno 1');
    }), { numRuns: 1000 });
    expect(call(table.clone3)).toBe('errno 38');
  });

  test('terminal input cannot be pushed, other ioctls work', () => {
    expect(call(table.ioctl, 0, 0x5412)).toBe('errno 1');
    expect(call(table.ioctl, 0, 0x541c)).toBe('errno 1');
    expect(call(table.ioctl, 0, 0x5401)).toBe(ALLOW);
  });

  test.each([[1, ALLOW], [2, ALLOW], [10, ALLOW], [16, 'errno 97'], [17, 'errno 97'], [38, 'errno 97'], [40, 'errno 97'], [0, 'errno 97']])('socket family %i: %s', (family, verdict) => {
    expect(call(table.socket, family, 1, 0)).toBe(verdict);
  });

  test('law: a mode with set-id bits is refused where it counts', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 0o7777 }), fc.boolean(), (mode, creates) => {
      const setsId = (mode & 0o6000) !== 0;
      for (const [number, argument] of Object.values(table.setMode)) {
        expect(call(number, ...Array.from({ length: argument }, () => 0), mode)).toBe(setsId ? 'errno 1' : ALLOW);
      }
      for (const [number, flags, argument] of Object.values(table.open)) {
        const args = [0, 0, 0, 0];
        args[flags] = creates ? 0o100 | 1 : 1;
        args[argument] = mode;
        expect(call(number, ...args)).toBe(setsId && creates ? 'errno 1' : ALLOW);
      }
    }), { numRuns: 1000 });
  });
});

test('an unknown machine has no table, and so no filter', () => {
  expect(syscallsOf('mips')).toBeUndefined();
  expect(syscallsOf('constructor')).toBeUndefined();
});
