// A decoder process is ready once it can read the folder that will hold its uploads.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { openChannel } from '../../../models/sandbox/channel.ts';

const script = fileURLToPath(new URL('../../../activities/decoder/child.ts', import.meta.url));

/** What it sends first, or what it writes before it ends. */
async function startedWith(t: ExecutionContext, folder: string): Promise<unknown> {
  const child = spawn(process.execPath, [script, '0'], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  let output = '';
  child.stderr!.on('data', (text) => (output += String(text)));
  const sent = Promise.withResolvers<unknown>();
  const channel = openChannel(child.stdio[3] as Socket, {
    maxBytes: 1_000,
    onMessage: sent.resolve,
    onMalformed: sent.reject,
  });
  channel.send({ kind: 'folder', path: folder });
  return Promise.race([sent.promise, once(child, 'close').then(() => output)]);
}

test('a decoder that cannot read its folder is not ready, and says why', async (t) => {
  t.deepEqual(await startedWith(t, tmpdir()), { kind: 'ready' });
  t.regex(String(await startedWith(t, '/nowhere')), /'\/nowhere': users of .*SVC_TEMPORARY_DIR/);
});
