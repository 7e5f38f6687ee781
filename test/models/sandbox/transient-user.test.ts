// Guarded processes share their user, and so its limit of threads, with no other process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import test from 'ava';
import { transientUser } from '../../../models/sandbox/transient-user.ts';

test('the user of another process is passed over', async (t) => {
  if (process.getuid?.() !== 0) {
    t.log('only root may start a process of another user');
    return t.pass();
  }
  const next = transientUser() + 1;
  const other = spawn('sleep', ['60'], { uid: next, gid: next });
  t.teardown(() => other.kill('SIGKILL'));
  await once(other, 'spawn');
  t.not(transientUser(), next);
});
