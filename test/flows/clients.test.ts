// Clients do what their pages say: those of docs/streams, and the packages of docs/clients, each
// installed where nothing else is.
import { execFile } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { createSpeechClient } from '../../clients/typescript/src/client.ts';
import { setRedaction } from '../../db/redaction-defaults.ts';
import { joinSamples } from '../../models/audio/samples.ts';
import { redactionOf } from '../../models/redaction/redaction-of.ts';
import { spectra2ResultSchema } from '../../api/results/schemas.ts';
import {
  compileExamples,
  examplesOf,
  installPackage,
  installWheel,
} from '../support/installed-clients.ts';
import { silence, speech, toWav, withDirectory } from '../support/speech.ts';
import { withMcp, type McpTools } from '../support/mcp.ts';
import { testStack, untilReady, type TestStack } from '../support/stack.ts';
import { svcCommand } from '../support/svc.ts';

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

/** Each tool once, and what a model may get wrong. */
async function useTools(t: ExecutionContext, { call, names, progress }: McpTools, wav: string) {
  t.deepEqual(names, ['analyse', 'batch', 'status', 'export']);
  const out = join(dirname(wav), 'call.json');
  const one = await call('analyse', { path: wav, diarize: true, out });
  t.regex(one.text, /speaker_0 {2}Please call me back/i);
  t.regex(one.data.result.segments[0].text, /call me back/i);
  t.regex((await call('export', { result: out, format: 'vtt' })).text, /^WEBVTT[^]*call me back/i);

  const bad = join(dirname(wav), 'bad.wav');
  await writeFile(bad, 'no audio');
  const order = { paths: [wav, bad], task: 'transcription', idempotency_key: 'once' };
  const rejected = await call('batch', order);
  t.true(rejected.failed);
  t.regex(rejected.text, /^unsupported_audio: /);
  const { data: first } = await call('batch', { ...order, paths: [wav] });
  const { data: again } = await call('batch', { ...order, paths: [wav] });
  t.is(again.batch.id, first.batch.id);
  const batch = { batch_id: first.batch.id };
  t.regex(
    (await call('status', { ...batch, wait: true })).text,
    /1 of 1 completed.*\n {2}0 call.wav/,
  );
  t.true(progress.includes('uploaded') && progress.includes('completed'), progress.join());
  t.regex((await call('status', {})).text, new RegExp(first.batch.id));
  const srt = await call('export', { ...batch, index: 0, format: 'srt' });
  t.regex(srt.text, /^1\n00:00:0[^]*call me back/i);

  for (const [name, input, message] of [
    ['analyse', { path: wav, out }, /call.json exists; choose a new file/],
    ['analyse', { path: `${wav}.none` }, /there is no such file/],
    ['analyse', { path: wav, task: 'poetry' }, /task/],
    ['batch', {}, /give `paths`, `urls` or both/],
    ['batch', { urls: ['ftp://a/b'] }, /invalid_field: .*https or s3/],
    ['export', { ...batch, format: 'srt' }, /needs `index`/],
    ['export', { result: bad, format: 'srt' }, /is no JSON/],
  ] as const) {
    const answer = await call(name, input);
    t.true(answer.failed, name);
    t.regex(answer.text, message);
  }
}

/** Every way to a text of the organization, without a request that says what to remove. */
async function redactEverywhere(t: ExecutionContext, { db, base, account }: TestStack) {
  const { organizationId, key } = account;
  const redaction = redactionOf({ names: ['Back'] }).redact!;
  await setRedaction(db, { organizationId, redaction, actor: 'test' });
  const { audio, batches, streams } = createSpeechClient({ baseUrl: base, apiKey: key });
  const samples = await speech('Please call me back tomorrow morning.');
  const twice = toWav(joinSamples([samples, silence(0.5), samples]));
  const recording = { name: 'call.wav', data: new Uint8Array(toWav(samples)) };
  const long = { name: 'long.wav', data: new Uint8Array(twice) };
  const seen: Record<string, string> = {};
  const plain = await audio.transcription(recording);
  t.like(plain.redactions?.[0], { kind: 'name' }, JSON.stringify(plain));
  seen.transcription = plain.text ?? '';
  const more = await audio.transcription(recording, { redact_names: 'Please' });
  t.is(more.redactions?.length, 2);
  seen.spectra = (await audio.analysis(recording, { model: 'svc-spectra-2' })).text;
  seen.lite = (await audio.transcription(recording, { model: 'svc-svceet' })).text;
  seen.proficiency = JSON.stringify(await audio.proficiency(long));
  seen.read = JSON.stringify(
    await audio.proficiency(long, {
      transcript: 'Please call me back tomorrow morning. Please call me back tomorrow morning.',
    }),
  );
  const order = { task: 'analysis' as const };
  const batch = await batches.run({ order, recordings: [{ customId: 'call', recording }] });
  for await (const line of batches.results(batch.id)) seen.batch = JSON.stringify(line);
  seen.srt = await batches.export(batch.id, 0, 'srt');
  const pcm = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  const spectra = await streams.spectra2({ task: 'transcription' });
  await spectra.send(pcm);
  seen.spectraStream = (await spectra.finish()).text;
  const lite = await streams.lite();
  await lite.send(pcm);
  seen.liteStream = (await lite.finish()).text;
  for (const [door, text] of Object.entries(seen)) {
    t.regex(text, /\[NAME\]/, door);
    t.notRegex(text, /\bback\b/i, door);
    t.regex(text, /call/i, door);
  }
}

/** Of a line for a shell: words in quotes are one. */
function wordsOf(line: string): readonly string[] {
  return Array.from(line.matchAll(/"([^"]*)"|\S+/g), ([word, quoted]) => quoted ?? word);
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

    const tests = join(root, 'clients', 'python', 'tests');
    await run(python, ['-W', 'error::DeprecationWarning', '-m', 'unittest', 'discover', tests]);
    const inPython: string[] = [];
    for (const example of await examplesOf('docs/clients/python.md', 'python'))
      inPython.push(await print(python, '-c', example));
    checkPrinted(t, inPython);

    const commands = await examplesOf('docs/clients/command-line.md', 'bash');
    await mkdir(join(directory, 'calls'));
    await copyFile(wav, join(directory, 'calls', 'call.wav'));
    const printed: string[] = [];
    for (const line of commands.join('').trim().split('\n')) {
      const [program, args] = svcCommand(...wordsOf(line).slice(1));
      printed.push(await print(program, ...args));
    }
    const [analyzed = '', json = '', , subtitles = ''] = printed;
    t.regex(analyzed, /speaker_0 {2}Please call me back/i);
    t.regex(JSON.parse(json).result.text, /call me back/i);
    t.regex(subtitles, /^1\n00:00:0[^]*call me back/i);

    await withMcp(settings, (tools) => useTools(t, tools, wav));

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
  await redactEverywhere(t, stack);
});
