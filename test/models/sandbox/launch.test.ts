// What hostile code can do inside the sandbox of decoders and models: nothing but its work.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { getPriority, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { startSandboxed } from '../../../models/sandbox/launch.ts';
import { isolationOf } from '../../../models/sandbox/isolation.ts';
import { until } from '../../support/until.ts';
import type { Report } from './attacks.ts';

const program = join(import.meta.dirname, 'attacks.ts');
const channel = join(import.meta.dirname, '..', '..', '..', 'models/sandbox/channel.ts');
const isRoot = process.getuid?.() === 0;
const anotherUser = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];

/** Runs the attacks from a process with a secret in its environment and an open file. */
async function attack(t: ExecutionContext, prefix: readonly string[]): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-test-'));
  t.teardown(() => rm(folder, { recursive: true }));
  await chmod(folder, 0o777);
  const secret = join(folder, 'secret');
  await writeFile(secret, 'left open');
  const leaked = openSync(secret, 'r');
  const [command, ...args] = [...prefix, process.execPath, program, folder];
  const above = Array.from({ length: 17 }, () => 'ignore' as const);
  const child = spawn(command, args, {
    env: { PATH: process.env['PATH'], DATABASE_URL: 'postgres://svc:secret@localhost/svc' },
    stdio: ['ignore', 'pipe', 'inherit', ...above, leaked],
  });
  closeSync(leaked);
  const [output] = await Promise.all([text(child.stdout!), once(child, 'exit')]);
  return JSON.parse(output) as Report;
}

const limit = (limits: string, name: string): string =>
  new RegExp(`^${name} +(\\S+) +(\\S+)`, 'm').exec(limits)?.slice(1, 3).join(' ') ?? '';
const field = (status: string, name: string): string =>
  new RegExp(`^${name}:[ \\t]*(.*)$`, 'm').exec(status)?.[1] ?? '';

/** The code is readable to it: a clone that lies among the temporary files is seen. */
const [, cloneInTemporary] = /^\/tmp\/([^/]+)/.exec(import.meta.dirname) ?? [];

/** What full isolation provides; a container may not allow all of it. */
function assertContained(t: ExecutionContext, { status, limits, outcomes }: Report): void {
  const {
    'reads its upload': upload,
    'reads the environment': environment,
    'lists temporary files': temporary,
    ...rest
  } = outcomes;
  t.is(upload, 'did it: "the upload"');
  t.is(environment, 'did it: {}');
  const files = JSON.parse(temporary!.replace('did it: ', '')) as readonly string[];
  const [own, ...others] = files.filter((name) => name !== cloneInTemporary);
  t.regex(own!, /^svc-test-\w+$/);
  t.deepEqual(others, []);
  t.true(Object.keys(rest).length >= 22);
  for (const [name, outcome] of Object.entries(rest)) {
    t.regex(outcome, /^(\w*Error|was ended|did it: "empty")/, `it ${name}: ${outcome}`);
  }
  t.is(limit(limits, 'Max data size'), `${2 ** 31} ${2 ** 31}`);
  t.is(limit(limits, 'Max cpu time'), '6 6');
  t.is(limit(limits, 'Max open files'), '256 256');
  t.is(limit(limits, 'Max processes'), '32 32');
  t.is(limit(limits, 'Max file size'), '0 0');
  t.is(limit(limits, 'Max core file size'), '0 0');
  for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) {
    t.is(BigInt(`0x${field(status, set)}`), 0n, set);
  }
  t.is(field(status, 'NoNewPrivs'), '1');
  t.is(field(status, 'Seccomp'), '2');
}

/** A machine that provides less reports it; its operator reads it in `svc doctor`. */
function assertFull(t: ExecutionContext, report: Report, root: boolean): void {
  const { missing } = isolationOf(report.isolation, root);
  if (missing.length === 0) return assertContained(t, report);
  t.log(`this machine does not give ${missing.join(', ')}`);
  t.is(report.outcomes['reads the environment'], 'did it: {}');
  t.is(report.outcomes['reads an inherited descriptor'], 'did it: "empty"');
}

test.serial('a hostile process of root reaches nothing but its upload', async (t) => {
  if (platform() !== 'linux') return t.pass();
  const report = await attack(t, []);
  assertFull(t, report, isRoot);
  if (!report.isolation.ownUser) return;
  const users = field(report.status, 'Uid').split('\t').map(Number);
  t.true(
    users.every((user) => user >= 61_184 && user < 65_536),
    users.join(),
  );
  t.deepEqual(field(report.status, 'Gid').split('\t').map(Number), users);
  t.is(field(report.status, 'Groups').trim(), '');
});

test.serial('a hostile process of an unprivileged user reaches nothing either', async (t) => {
  const readable = [...anotherUser, process.execPath, '--check', program];
  const [command = '', ...args] = readable;
  if (!isRoot || spawnSync(command, args).status !== 0) {
    t.log('no other user can be taken here, or none can read this tree');
    return t.pass();
  }
  assertFull(t, await attack(t, anotherUser), false);
});

test.serial('a process that is ended at any point of its start leaves nothing', async (t) => {
  const script = join(import.meta.dirname, 'hostile.ts');
  const limits = { dataBytes: 2 ** 31, openFiles: 64, threads: 32 };
  const mark = `mark-${process.pid}`;
  for (let ms = 0; ms < 20; ms += 2) {
    const quiet = { maxMessageBytes: 1_000, onMessage: () => {} };
    const { child, kill } = startSandboxed({
      ...{ script, args: [mark], code: [script], limits, ...quiet },
    });
    const ended = once(child, 'exit');
    await sleep(ms);
    kill();
    await ended;
  }
  // A zombie has no command line any more; the rest of a namespace ends just after its first
  // process.
  await until(() => spawnSync('pgrep', ['-f', mark]).status !== 0);
  t.pass();
});

test.serial('a process gives way from its first instruction on', async (t) => {
  const script = join(import.meta.dirname, 'first-priority.ts');
  const limits = { dataBytes: 2 ** 31, openFiles: 64, threads: 32 };
  for (const niceness of [undefined, 15, 19]) {
    const given = niceness === undefined ? {} : { niceness };
    const first = Promise.withResolvers<unknown>();
    const { child, kill } = startSandboxed({
      ...{ script, code: [script, channel], limits, ...given },
      ...{ maxMessageBytes: 1_000, onMessage: first.resolve },
    });
    t.teardown(kill);
    const ended = once(child, 'exit');
    t.deepEqual(await first.promise, { niceness: Math.max(getPriority(), niceness ?? 0) });
    kill();
    await ended;
  }
});
