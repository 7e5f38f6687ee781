// The pure parts of the sandbox: bubblewrap's arguments, and which system calls pass.
import test from 'ava';
import { callFilter } from '../../../models/sandbox/call-filter.ts';
import { sandboxCommand, type SandboxedCommand } from '../../../models/sandbox/command.ts';
import { candidates, isolationOf, noIsolation } from '../../../models/sandbox/isolation.ts';
import { allowedCalls, cloneCall } from '../../../models/sandbox/system-calls.ts';

const programs = {
  bwrap: '/usr/bin/bwrap',
  prlimit: '/usr/bin/prlimit',
  setpriv: '/bin/setpriv',
  nice: '/usr/bin/nice',
};
const command: SandboxedCommand = {
  node: '/opt/node/bin/node',
  nodeArguments: ['/srv/child.ts'],
  readable: ['/srv', '/srv-models'],
  limits: { dataBytes: 1e9, openFiles: 64, threads: 32 },
  user: 61_200,
  filterDescriptor: 4,
};

/** What the kernel would decide on a call: the filter, interpreted. */
function verdict(
  program: Uint8Array,
  {
    architecture,
    number,
    flags = 0,
  }: Readonly<Record<'architecture' | 'number', number>> & {
    readonly flags?: number;
  },
): number {
  const view = new DataView(program.buffer);
  const loaded: Readonly<Record<number, number>> = { 0: number, 4: architecture, 16: flags };
  let accumulator = 0;
  for (let i = 0; ; i += 1) {
    const code = view.getUint16(i * 8, true);
    const value = view.getUint32(i * 8 + 4, true);
    if (code === 0x06) return value;
    if (code === 0x20) accumulator = loaded[value]!;
    else {
      const holds = code === 0x15 ? accumulator === value : (accumulator & value) !== 0;
      i += view.getUint8(i * 8 + (holds ? 2 : 3));
    }
  }
}

test('the filter passes what is listed, threads but no processes, on its architecture', (t) => {
  const [allow, kill] = [0x7fff0000, 0x80000000];
  for (const [name, architecture] of [
    ['x64', 0xc000003e],
    ['arm64', 0xc00000b7],
  ] as const) {
    const program = callFilter(name);
    const allowed = new Set(allowedCalls(name));
    t.true(allowed.size > 90);
    for (let number = 0; number < 600; number += 1) {
      if (number === cloneCall[name]) continue;
      const result = verdict(program, { architecture, number });
      t.is(result, allowed.has(number) ? allow : 0x00050026, `${name} ${number}`);
    }
    const number = cloneCall[name];
    t.is(verdict(program, { architecture, number, flags: 0x00010f00 }), allow);
    t.is(verdict(program, { architecture, number, flags: 0x4011 }), 0x00050001);
    t.is(verdict(program, { architecture: 0x40000003, number: 1 }), kill);
    t.not(verdict(program, { architecture, number: 0x40000001 }), allow);
  }
});

test('nothing is bound writable, and only named paths are bound', (t) => {
  for (const isolation of [...candidates(true), ...candidates(false)]) {
    const line = sandboxCommand(isolation, programs, command)!;
    t.deepEqual(line.slice(-2), ['/opt/node/bin/node', '/srv/child.ts']);
    if (!isolation.namespaces) continue;
    t.false(line.includes('--bind') || line.includes('--bind-try') || line.includes('--proc'));
    const bound = line.flatMap((word, i) => (word === '--ro-bind' ? [line[i + 1]] : []));
    const wanted = ['/bin/setpriv', '/opt/node/bin/node', '/srv', '/srv-models'];
    t.deepEqual(bound, [...wanted, '/usr/bin/prlimit']);
    for (const kind of ['pid', 'net', 'ipc', 'uts']) t.true(line.includes(`--unshare-${kind}`));
    t.is(line.includes('--unshare-user'), isolation.userNamespace);
    t.is(line.includes('--seccomp'), isolation.callFilter);
  }
});

test('without its programs there is no sandbox, and the missing ones are named', (t) => {
  const [fullest] = candidates(true);
  t.is(sandboxCommand(fullest!, { ...programs, bwrap: null }, command), null);
  t.is(sandboxCommand(fullest!, { ...programs, setpriv: null }, command), null);
  const bare = sandboxCommand(
    noIsolation,
    { bwrap: null, setpriv: null, prlimit: null, nice: null },
    command,
  );
  t.deepEqual(bare, ['/opt/node/bin/node', '/srv/child.ts']);
  t.deepEqual(isolationOf(fullest!, true).missing, []);
  t.deepEqual(isolationOf(candidates(false)[0]!, false).missing, []);
  t.is(isolationOf(noIsolation, true).missing.length, 4);
});
