// The seccomp program of a sandboxed process: which system calls it may make; pure.
// Instructions of classic BPF (linux/filter.h) over `struct seccomp_data` (linux/seccomp.h).
import { allowedCalls, cloneCall, type Architecture } from './system-calls.ts';

const load = 0x20; // BPF_LD | BPF_W | BPF_ABS
const jumpIfEqual = 0x15; // BPF_JMP | BPF_JEQ | BPF_K
const jumpIfAnyBit = 0x45; // BPF_JMP | BPF_JSET | BPF_K
const end = 0x06; // BPF_RET | BPF_K

const offsetOf = { number: 0, architecture: 4, firstArgument: 16 };
const auditArchitecture: Readonly<Record<Architecture, number>> = {
  x64: 0xc000003e,
  arm64: 0xc00000b7,
};
const kill = 0x80000000;
const allow = 0x7fff0000;
const returnError = 0x00050000;
const notPermitted = 1;
/** C libraries take this error for an older kernel and fall back. */
const notImplemented = 38;
const threadFlag = 0x00010000; // CLONE_THREAD

interface Instruction {
  readonly code: number;
  readonly value: number;
  /** Instructions to skip when the jump's condition holds, and when not. */
  readonly yes?: number;
  readonly no?: number;
}

/**
 * System calls outside the list fail as if the kernel lacked them. `clone` may create threads but
 * no processes; `clone3`, whose flags a filter cannot read, fails so that C libraries fall back on
 * `clone`.
 */
export function callFilter(architecture: Architecture): Uint8Array {
  const calls = allowedCalls(architecture);
  // Jumps are limited to a byte: every allowed call jumps over the rest of the list, the rejection
  // and the rule for clone.
  if (calls.length > 250) throw new RangeError(`a filter names 250 calls, got ${calls.length}`);
  return encode([
    { code: load, value: offsetOf.architecture },
    { code: jumpIfEqual, value: auditArchitecture[architecture], yes: 1 },
    { code: end, value: kill },
    { code: load, value: offsetOf.number },
    { code: jumpIfEqual, value: cloneCall[architecture], yes: calls.length + 1 },
    ...calls.map((value, i) => ({ code: jumpIfEqual, value, yes: calls.length - i + 3 })),
    { code: end, value: returnError | notImplemented },
    { code: load, value: offsetOf.firstArgument },
    { code: jumpIfAnyBit, value: threadFlag, yes: 1 },
    { code: end, value: returnError | notPermitted },
    { code: end, value: allow },
  ]);
}

/** As `struct sock_filter`, little-endian. */
function encode(instructions: readonly Instruction[]): Uint8Array {
  const bytes = new Uint8Array(instructions.length * 8);
  const view = new DataView(bytes.buffer);
  for (const [i, { code, value, yes = 0, no = 0 }] of instructions.entries()) {
    view.setUint16(i * 8, code, true);
    view.setUint8(i * 8 + 2, yes);
    view.setUint8(i * 8 + 3, no);
    view.setUint32(i * 8 + 4, value, true);
  }
  return bytes;
}
