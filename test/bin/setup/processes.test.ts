// Signals during set-up: what it has started ends with it, and `nohup` keeps both.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { until } from '../../support/until.ts';

const module = pathToFileURL(join(import.meta.dirname, '../../../bin/setup/processes.mjs')).href;

/** A set-up that waits for a program, without a terminal, as after `nohup`. */
async function aSetup(t: ExecutionContext) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-signals-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const pidFile = join(folder, 'pid');
  const script =
    `const { exitOnSignals, run } = await import(${JSON.stringify(module)}); exitOnSignals();` +
    `await run('sh', ['-c', 'echo $$ > new; mv new pid; exec sleep 600']);`;
  const args = ['--input-type=module', '-e', script];
  const setup = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore' });
  t.teardown(() => setup.kill('SIGKILL'));
  await until(() => existsSync(pidFile));
  return { setup, program: Number(readFileSync(pidFile, 'utf8')) };
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  test(`${signal} ends the program that set-up waits for`, async (t) => {
    const { setup, program } = await aSetup(t);
    setup.kill(signal);
    t.deepEqual(await once(setup, 'exit'), [code, null]);
    t.true(await until(() => !runs(program)));
  });
}

test('without a terminal the end of one ends nothing', async (t) => {
  const { setup } = await aSetup(t);
  setup.kill('SIGHUP');
  setup.kill('SIGTERM');
  // It would be 129 after the first; the system delivers the lower number first.
  t.deepEqual(await once(setup, 'exit'), [143, null]);
});

test('progress of set-up stays out of the output of the command that follows it', async (t) => {
  const script = `const { step } = await import(${JSON.stringify(module)});
    await step('installing', async () => {});`;
  const setup = spawn(process.execPath, ['--input-type=module', '-e', script]);
  const [out, progress] = await Promise.all([text(setup.stdout), text(setup.stderr)]);
  t.is(out, '');
  t.regex(progress, /✓ installing \(/);
});
