// A stack whose terminal is gone: one that was started with `nohup` serves on.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import test from 'ava';

const module = pathToFileURL(join(import.meta.dirname, '../../../bin/stack/signals.ts')).href;

test('without a terminal SIGHUP stops nothing, and SIGTERM does', async (t) => {
  const script =
    `const { stopOnSignals } = await import(${JSON.stringify(module)});` +
    `stopOnSignals({ stop: async () => {}, kill() {} }, console.log);` +
    `console.log('serving'); setInterval(() => {}, 1000);`;
  const args = ['--input-type=module', '-e', script];
  const stack = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  t.teardown(() => stack.kill('SIGKILL'));
  const [[first], said] = [await once(stack.stdout, 'data'), text(stack.stdout)];
  t.is(String(first), 'serving\n');
  // The system delivers the lower number first.
  stack.kill('SIGHUP');
  stack.kill('SIGTERM');
  t.regex(await said, /^SIGTERM: stopping/);
});
