// The clients of docs/streams do what their pages say: in TypeScript with ws, in Python with
// websockets.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { spectra2ResultSchema } from '../../api/results/schemas.ts';
import { speech, toWav, withDirectory } from '../support/speech.ts';
import { testStack, untilReady } from '../support/stack.ts';

const run = promisify(execFile);
const clients = join(import.meta.dirname, '..', '..', 'docs', 'streams');
const websockets = 'websockets==15.0.1';

test('each client prints the words of the recording', async (t) => {
  const stack = await testStack(t, { streams: true });
  await untilReady(stack);
  await withDirectory(async (directory) => {
    const wav = join(directory, 'call.wav');
    await writeFile(wav, toWav(await speech('Please call me back tomorrow morning.')));
    const quiet = ['--quiet', '--disable-pip-version-check', '--no-deps'];
    await run('python3', ['-m', 'pip', 'install', ...quiet, '--target', directory, websockets]);
    const env = { ...process.env, SVC_API_KEY: stack.account.key, PYTHONPATH: directory };
    const print = async (program: string, client: string): Promise<any> => {
      const { stdout } = await run(program, [join(clients, client), wav, stack.base], { env });
      return JSON.parse(stdout);
    };
    for (const [program, client] of [
      [process.execPath, 'spectra-2.ts'],
      ['python3', 'spectra_2.py'],
    ] as const) {
      const result = spectra2ResultSchema.parse(await print(program, client));
      t.regex(result.text, /call me back tomorrow/i, client);
    }
    t.regex((await print(process.execPath, 'lite.ts')).text, /call me back/i);
    t.regex((await print('python3', 'lite.py')).text, /call me back/i);
  });
});
