// Supervision of one process: ready when it answers, restarted when it dies, and stopped for good.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { createPart, PartFailedError, type Part, type PartSpec } from '../../../bin/stack/part.ts';
import { findListeningPorts } from '../../../bin/stack/ports.ts';
import { isRunning } from '../../../bin/stack/process-identity.ts';
import { until } from '../../support/until.ts';

const server = (port: number) =>
  `require('node:http').createServer((_, r) => r.end()).listen(${port}, '127.0.0.1')`;

interface Supervised {
  readonly part: Part;
  readonly lines: string[];
}

async function aPart(
  t: ExecutionContext,
  options: { readonly script?: string; readonly change?: Partial<PartSpec> } = {},
): Promise<Supervised> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-part-'));
  const [port = 0] = await findListeningPorts(1);
  const lines: string[] = [];
  const part = createPart(
    {
      name: 'Server',
      command: process.execPath,
      args: ['-e', options.script ?? server(port)],
      env: {},
      cwd: folder,
      logPath: join(folder, 'server.log'),
      stopSignal: 'SIGTERM',
      readySeconds: 600,
      probe: async ({ signal }) => {
        await fetch(`http://127.0.0.1:${port}/`, { signal });
      },
      ...options.change,
    },
    { say: (line) => lines.push(line), changed: () => {} },
  );
  t.teardown(() => {
    part.kill();
    rmSync(folder, { recursive: true });
  });
  return { part, lines };
}

test('a part is ready when it answers and gone when it is stopped', async (t) => {
  const { part } = await aPart(t);
  await part.start();
  const identity = part.identity();
  t.true(identity !== null && isRunning(identity));

  await part.stop();

  t.is(part.identity(), null);
  t.false(identity !== null && isRunning(identity));
});

test('a part that exits at its start fails with the last lines of its log', async (t) => {
  const script = "console.error('no such table'); process.exit(3)";
  const { part } = await aPart(t, { script });

  const error = await t.throwsAsync(part.start(), { instanceOf: PartFailedError });

  t.regex(error.message, /Server ended with exit code 3/);
  t.regex(error.message, /no such table/);
});

test('a part that never answers fails after its time and is killed', async (t) => {
  const script = 'setInterval(() => {}, 1000)';
  const { part } = await aPart(t, { script, change: { readySeconds: 0.5 } });

  await t.throwsAsync(part.start(), { message: /did not answer within 0\.5 s/ });

  t.true(await until(() => part.identity() === null));
});

test('a program that does not exist fails with its name', async (t) => {
  const command = join(tmpdir(), 'svc-no-such-program');
  const { part } = await aPart(t, { change: { command } });
  await t.throwsAsync(part.start(), { message: /svc-no-such-program|could not be started/ });
});

test('a part that is killed is restarted, with a message', async (t) => {
  const { part, lines } = await aPart(t);
  await part.start();
  const first = part.identity();

  process.kill(first?.pid ?? 0, 'SIGKILL');

  t.true(await until(() => lines.includes('Server is ready again')));
  t.not(part.identity()?.pid, first?.pid);
  t.regex(lines[0] ?? '', /Server was ended by SIGKILL; starting it again/);
});

test('a part that is stopped before its restart stays stopped', async (t) => {
  const { part, lines } = await aPart(t);
  const other = await aPart(t);
  await part.start();
  await other.part.start();
  process.kill(part.identity()?.pid ?? 0, 'SIGKILL');
  t.true(await until(() => lines.length > 0));

  await part.stop();
  // Restarts come in the order of the ends.
  process.kill(other.part.identity()?.pid ?? 0, 'SIGKILL');
  t.true(await until(() => other.lines.includes('Server is ready again')));

  t.is(part.identity(), null);
  t.is(lines.length, 1);
});
