// What a killed stack leaves running: found by its record, ended, and never mistaken for another.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import {
  AlreadyRunningError,
  readRecord,
  stopOrphans,
  writeRecord,
} from '../../../bin/stack/stack-record.ts';
import { identify, isRunning, type ProcessIdentity } from '../../../bin/stack/process-identity.ts';

function aDataDirectory(t: ExecutionContext): string {
  const path = mkdtempSync(join(tmpdir(), 'svc-orphans-'));
  t.teardown(() => rmSync(path, { recursive: true }));
  return path;
}

function aSleeper(t: ExecutionContext): ProcessIdentity {
  const script = 'setInterval(() => {}, 1000)';
  const child: ChildProcess = spawn(process.execPath, ['-e', script], {
    detached: true,
    stdio: 'ignore',
  });
  t.teardown(() => child.kill('SIGKILL'));
  const identity = child.pid === undefined ? null : identify(child.pid);
  if (identity === null) throw new Error('the sleeper did not start');
  return identity;
}

const deadStack = { pid: 4_000_000, startTime: '1' };

function recordOf(stack: ProcessIdentity, part: ProcessIdentity): string {
  const parts = [{ name: 'Sleeper', process: part, stopSignal: 'SIGTERM' }];
  return JSON.stringify({ stack, parts, environment: {} });
}

test('a part of a killed stack is stopped and the record removed', async (t) => {
  const directory = aDataDirectory(t);
  const sleeper = aSleeper(t);
  writeFileSync(join(directory, 'stack.json'), recordOf(deadStack, sleeper));

  t.deepEqual(await stopOrphans(directory), ['Sleeper']);

  t.false(isRunning(sleeper));
  t.is(readRecord(directory), null);
});

test('another process that reused the id of a part is left alone', async (t) => {
  const directory = aDataDirectory(t);
  const sleeper = aSleeper(t);
  const earlier = { pid: sleeper.pid, startTime: '1' };
  writeFileSync(join(directory, 'stack.json'), recordOf(deadStack, earlier));

  t.deepEqual(await stopOrphans(directory), []);

  t.true(isRunning(sleeper));
});

test('a stack that still runs is named and keeps its parts', async (t) => {
  const directory = aDataDirectory(t);
  const sleeper = aSleeper(t);
  const parts = [{ name: 'Sleeper', process: sleeper, stopSignal: 'SIGTERM' as const }];
  writeRecord(directory, { parts, environment: {} });

  const error = await t.throwsAsync(stopOrphans(directory), { instanceOf: AlreadyRunningError });

  t.regex(error.message, new RegExp(`process ${process.pid}`));
  t.true(isRunning(sleeper));
});

test('without a record there is nothing to stop', async (t) => {
  t.deepEqual(await stopOrphans(aDataDirectory(t)), []);
});

test('the end of a process that this one did not start is noticed', (t) => {
  t.is(identify(4_000_000), null);
  const own = identify(process.pid);
  t.truthy(own);
  t.true(own !== null && isRunning(own));
});

const module = pathToFileURL(join(import.meta.dirname, '../../../bin/stack/stack-record.ts')).href;

/** A start that has come to the data directory, and goes on when it is told to. */
async function aStart(t: ExecutionContext, directory: string) {
  const script = `const { takeDataDirectory } = await import(${JSON.stringify(module)});
    process.once('message', () => takeDataDirectory(process.argv[1]).then(
      () => process.send('taken'), (error) => process.send(error.name)));
    process.send('there'); setInterval(() => {}, 1_000);`;
  const args = ['--input-type=module', '-e', script, directory];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  t.teardown(() => child.kill('SIGKILL'));
  await once(child, 'message');
  return {
    async go(): Promise<string> {
      child.send('go');
      return String((await once(child, 'message'))[0]);
    },
    pid: child.pid,
  };
}

test('of starts at once one has the data directory, and the others are told', async (t) => {
  const before = { none: null, 'of a killed stack': '', damaged: '{"stack":' };
  for (const [what, text] of Object.entries(before)) {
    const directory = join(aDataDirectory(t), 'data');
    if (text !== null) {
      mkdirSync(directory);
      const path = join(directory, 'stack.json');
      writeFileSync(path, text || recordOf(deadStack, aSleeper(t)));
    }
    const starts = await Promise.all([1, 2, 3].map(() => aStart(t, directory)));
    const told = await Promise.all(starts.map((start) => start.go()));
    const refused = 'AlreadyRunningError';
    t.deepEqual(told.toSorted(), [refused, refused, 'taken'], what);
    t.is(readRecord(directory)?.stack.pid, starts[told.indexOf('taken')]!.pid);
    t.deepEqual(readdirSync(directory), ['stack.json']);
  }
});

test('a damaged record is none', async (t) => {
  const directory = aDataDirectory(t);
  for (const text of ['', '{"stack":', '{}']) {
    writeFileSync(join(directory, 'stack.json'), text);
    t.is(readRecord(directory), null);
    t.deepEqual(await stopOrphans(directory), []);
  }
});
