/** Builds the seccomp filter as classic BPF (linux/filter.h, linux/seccomp.h): a deny list with closed answers, for bubblewrap's `--seccomp FD`. */
import type { SyscallTable } from './syscalls.js';

const LOAD_WORD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_ANY_BIT = 0x45;
const RETURN = 0x06;

/** Offsets in struct seccomp_data, little endian. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const argumentLow = (index: number): number => 16 + 8 * index;

const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const errno = (value: number): number => 0x00050000 | value;
const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** CLONE_NEWTIME|NEWNS|NEWCGROUP|NEWUTS|NEWIPC|NEWUSER|NEWPID|NEWNET (linux/sched.h). */
const CLONE_NAMESPACES = 0x00000080 | 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000;
/** Push input into a terminal as if it were typed (asm-generic/ioctls.h). */
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
/** Set-user-id and set-group-id: a program left behind with them would lend the user's rights to everybody on the machine. */
const SET_ID = 0o6000;
/** O_CREAT, and O_TMPFILE without its O_DIRECTORY: only then is the mode looked at. */
const CREATES = 0x40 | 0x400000;
const SOCKET_FAMILIES = [1, 2, 10];

interface Instruction {
  code: number;
  ifTrue?: number;
  ifFalse?: number;
  operand: number;
}

const load = (offset: number): Instruction => ({ code: LOAD_WORD, operand: offset });
const give = (verdict: number): Instruction => ({ code: RETURN, operand: verdict });
/** Skips `count` instructions unless the loaded word equals `value`. */
const unlessEqualSkip = (value: number, count: number): Instruction => ({ code: JUMP_EQUAL, ifTrue: 0, ifFalse: count, operand: value });
const unlessAnyBitSkip = (bits: number, count: number): Instruction => ({ code: JUMP_ANY_BIT, ifTrue: 0, ifFalse: count, operand: bits });

/** The program as bytes of `struct sock_filter[]`. */
export function seccompFilter(table: SyscallTable): Buffer {
  return encode([
    ...checkMachine(table),
    ...refuse(table.clone3, errno(ENOSYS)),
    ...onlyWithout(table.clone, 0, CLONE_NAMESPACES),
    ...refuseArgument(table.ioctl, 1, [TIOCSTI, TIOCLINUX]),
    ...allowArgument(table.socket, 0, SOCKET_FAMILIES),
    ...Object.values(table.setMode).flatMap(([number, mode]) => onlyWithout(number, mode, SET_ID)),
    ...Object.values(table.open).flatMap(([number, flags, mode]) => createOnlyWithout(number, flags, mode)),
    // Its arguments lie in memory, where the filter cannot look; programs fall back to openat.
    ...refuse(table.openat2, errno(ENOSYS)),
    ...Object.values(table.refused).flatMap((number) => refuse(number, errno(EPERM))),
    give(ALLOW),
  ]);
}

/** Another machine's calls (32-bit on 64) have other numbers: nothing below would hold for them. */
function checkMachine(table: SyscallTable): Instruction[] {
  const known = [load(ARCHITECTURE), { code: JUMP_EQUAL, ifTrue: 1, ifFalse: 0, operand: table.audit }, give(KILL_PROCESS), load(NUMBER)];
  return table.foreignBit === undefined ? known : [...known, unlessAnyBitSkip(table.foreignBit, 1), give(errno(ENOSYS))];
}

function refuse(number: number, verdict: number): Instruction[] {
  return [unlessEqualSkip(number, 1), give(verdict)];
}

/** Every block below leaves the call's number loaded for the next one. */
function onlyWithout(number: number, argument: number, bits: number): Instruction[] {
  return whenCalled(number, argument, [unlessAnyBitSkip(bits, 1), give(errno(EPERM))]);
}

function createOnlyWithout(number: number, flags: number, mode: number): Instruction[] {
  return whenCalled(number, flags, [unlessAnyBitSkip(CREATES, 3), load(argumentLow(mode)), unlessAnyBitSkip(SET_ID, 1), give(errno(EPERM))]);
}

function refuseArgument(number: number, argument: number, values: readonly number[]): Instruction[] {
  return whenCalled(number, argument, values.flatMap((value) => refuse(value, errno(EPERM))));
}

function allowArgument(number: number, argument: number, values: readonly number[]): Instruction[] {
  const tests = values.map((value, index) => ({ code: JUMP_EQUAL, ifTrue: values.length - index, ifFalse: 0, operand: value }));
  return whenCalled(number, argument, [...tests, give(errno(EAFNOSUPPORT))]);
}

function whenCalled(number: number, argument: number, body: readonly Instruction[]): Instruction[] {
  return [unlessEqualSkip(number, body.length + 2), load(argumentLow(argument)), ...body, load(NUMBER)];
}

function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, { code, ifTrue = 0, ifFalse = 0, operand }] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(operand >>> 0, index * 8 + 4);
  }
  return bytes;
}
