// Clients do what their pages say: those of docs/streams, and the packages of docs/clients, each
// installed where nothing else is.
import { execFile } from 'node:child_process';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { spectra2ResultSchema } from '../../api/results/schemas.ts';
import {
  compileExamples,
  examplesOf,
  installPackage,
  installWheel,
} from '../support/installed-clients.ts';
import { speech, toWav, withDirectory } from '../support/speech.ts';
import { testStack, untilReady } from '../support/stack.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');

/** What the examples of a client's page print, in their order. */
function checkPrinted(t: { regex(text: string, pattern: RegExp): void }, all: readonly string[]) {
  const [one = '', again = '', batch = '', streams = '', webhooks = ''] = all;
  t.regex(one, /^speaker_0 Please call me back/i);
  t.regex(again, /^Please call me back/i);
  t.regex(batch, /^1\/1\n[^]*completed\ncall-1 Please call me back[^]*1\n00:00:0/i);
  t.regex(streams, /^([^\n]*call me back[^\n]*\n){3}$/i);
  t.regex(webhooks, /^webhook\.test\n[^]*true/i);
}

test('each client prints the words of the recording', async (t) => {
  const stack = await testStack(t, { streams: true });
  await untilReady(stack);
  await withDirectory(async (directory) => {
    const wav = join(directory, 'call.wav');
    await writeFile(wav, toWav(await speech('Please call me back tomorrow morning.')));
    const settings = { SVC_BASE_URL: stack.base, SVC_API_KEY: stack.account.key };
    const options = { cwd: directory, env: { ...process.env, ...settings } };
    const print = async (program: string, ...args: readonly string[]): Promise<string> =>
      (await run(program, [...args], options)).stdout;

    const python = await installWheel(join(directory, 'environment'));
    const pages = join(root, 'docs', 'streams');
    for (const [program, client] of [
      [process.execPath, 'spectra-2.ts'],
      [python, 'spectra_2.py'],
    ] as const) {
      const printed = await print(program, join(pages, client), wav, stack.base);
      t.regex(spectra2ResultSchema.parse(JSON.parse(printed)).text, /call me back/i, client);
    }
    for (const [program, client] of [
      [process.execPath, 'lite.ts'],
      [python, 'lite.py'],
    ] as const) {
      const printed = await print(program, join(pages, client), wav, stack.base);
      t.regex(JSON.parse(printed).text, /call me back/i, client);
    }

    await run(python, ['-m', 'unittest', 'discover', join(root, 'clients', 'python', 'tests')]);
    const inPython: string[] = [];
    for (const example of await examplesOf('docs/clients/python.md', 'python'))
      inPython.push(await print(python, '-c', example));
    checkPrinted(t, inPython);

    const project = join(directory, 'project');
    await installPackage(project);
    const examples = await examplesOf('docs/clients/typescript.md', 'ts');
    await compileExamples(project, examples);
    await copyFile(wav, join(project, 'call.wav'));
    const inTypeScript: string[] = [];
    for (const i of examples.keys())
      inTypeScript.push(await print(process.execPath, join(project, `example-${i}.ts`)));
    checkPrinted(t, inTypeScript);
  });
});
