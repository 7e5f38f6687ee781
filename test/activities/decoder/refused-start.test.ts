// A decoder that cannot be started says why, and leaves no folder behind.
import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { decoderFolder } from '../../support/decoder-folder.ts';

const run = promisify(execFile);
const module = new URL('../../../activities/decoder/process.ts', import.meta.url).href;

/** Takes every descriptor that the process may have, and then starts a decoder. */
const program = (folder: string) => `
  import { closeSync, openSync } from 'node:fs';
  import { startDecoderProcess } from ${JSON.stringify(module)};
  const first = startDecoderProcess(${JSON.stringify(folder)});
  await first.ready;
  first.kill();
  await first.exited;
  const taken = [];
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'));
  } catch {}
  for (const descriptor of taken.splice(-2)) closeSync(descriptor);
  try {
    startDecoderProcess(${JSON.stringify(folder)});
  } catch (error) {
    console.log(error.message);
  }
  process.exit();`;

test('without descriptors a start fails with its reason', async (t) => {
  const folder = await decoderFolder(t);
  const scratch = join(folder, 'decoders');
  const script = join(folder, 'program.mts');
  await writeFile(
    script,
    `import { mkdirSync } from 'node:fs';
    mkdirSync(${JSON.stringify(scratch)});${program(scratch)}`,
  );
  const limited = `ulimit -n 400 && exec "${process.execPath}" "${script}"`;
  const { stdout } = await run('sh', ['-c', limited]);
  t.regex(stdout, /too many files are open|EMFILE/);
  t.deepEqual(await readdir(scratch), []);
});
