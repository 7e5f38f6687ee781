// Organizations share decoders: no clip waits for another organization's files, and no process sees
// the files of two.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { isPlausible, nothingReceived } from '../../../activities/decoder/message-check.ts';
import type { DecoderMessage } from '../../../activities/decoder/messages.ts';
import { startDecoderProcess } from '../../../activities/decoder/process.ts';
import { createDecoderProcesses } from '../../../activities/decoder/processes.ts';
import { createOwnTime, watchDecoder } from '../../../activities/decoder/resource-limits.ts';
import { decoderFolder } from '../../support/decoder-folder.ts';
import { aDecoder } from '../../support/decoding.ts';
import { encode, silence, tone, toWav } from '../../support/speech.ts';
import { until } from '../../support/until.ts';

test('a clip does not wait for the files of another organization, however many', async (t) => {
  const { decode } = aDecoder(t, 1);
  const release = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const onPcm = (): Promise<void> => {
    started.resolve();
    return release.promise;
  };
  const file = toWav(silence(30));
  const held = Array.from({ length: 5 }, () => decode(file, { organizationId: 'org_many', onPcm }));
  await started.promise;
  const clip = toWav(silence(1));
  for (const organizationId of ['org_one', 'org_two', 'org_one']) {
    t.is((await decode(clip, { organizationId })).samples, 16_000);
  }
  release.resolve();
  for (const audio of await Promise.all(held)) t.is(audio.samples, 30 * 16_000);
});

test('slots held by others leave one for an organization with decodable files', async (t) => {
  const { decode } = aDecoder(t, 1);
  const clip = toWav(silence(1));
  await decode(clip, { organizationId: 'org_known' });
  const release = Promise.withResolvers<void>();
  let started = 0;
  const all = Promise.withResolvers<void>();
  const hold = (organizationId: string) =>
    decode(clip, {
      organizationId,
      onPcm: () => {
        started += 1;
        if (started === 5) all.resolve();
        return release.promise;
      },
    });
  const held = Array.from({ length: 9 }, (_, i) => hold(`org_${i}`));
  await all.promise;
  t.is((await decode(clip, { organizationId: 'org_known' })).samples, 16_000);
  t.is(started, 5, 'the others wait');
  release.resolve();
  await Promise.all(held);
});

test('a queued file is dropped when its request ends', async (t) => {
  const { decode } = aDecoder(t, 1);
  const release = Promise.withResolvers<void>();
  const file = toWav(silence(1));
  const first = decode(file, { onPcm: () => release.promise });
  const request = new AbortController();
  const second = decode(file, { signal: request.signal });
  request.abort(new Error('not wanted'));
  await t.throwsAsync(second, { message: 'not wanted' });
  release.resolve();
  t.is((await first).samples, 16_000);
});

test('a process serves one organization only, for its whole life', async (t) => {
  const directory = await decoderFolder(t);
  const processes = createDecoderProcesses({ ahead: 1, idle: 2, directory });
  t.teardown(() => processes.close());
  const one = processes.take('org_one');
  processes.release('org_one', one);
  const two = processes.take('org_two');
  t.not(two, one);
  t.is(processes.take('org_one'), one);
  const another = processes.take('org_one');
  t.false([one, two].includes(another));
  processes.release('org_one', one);
  processes.release('org_two', two);
  processes.release('org_one', another);
  t.false(one.isAlive(), 'the least recently used makes room');
  t.is(processes.take('org_two'), two);
});

test('its folder holds only the upload of its current job', async (t) => {
  const directory = await decoderFolder(t);
  const decoder = startDecoderProcess(directory);
  t.teardown(() => decoder.kill());
  const upload = join(directory, 'upload');
  const bytes = toWav(silence(1));
  await writeFile(upload, bytes);
  const folders = async () => (await readdir(directory)).filter((name) => name !== 'upload');
  const files = async () => readdir(join(directory, (await folders())[0]!));
  await decoder.ready;
  t.deepEqual(await files(), []);
  const seen: (readonly string[])[] = [];
  const job = { id: 1, path: upload, container: 'wav', bytes: bytes.length } as const;
  const limits = { maxSeconds: 60, mono16kHz: false, channel: null };
  await decoder.run({ ...job, ...limits }, { onPcm: async () => void seen.push(await files()) });
  t.deepEqual(seen, [['upload']]);
  t.deepEqual(await files(), []);
  decoder.kill();
  await decoder.exited;
  t.deepEqual(await folders(), []);
});

test('codecs that are not used for speech are not decoded', async (t) => {
  const { decode } = aDecoder(t, 1);
  const wav = toWav(tone(440, 2, 48_000), { rate: 48_000 });
  for (const [format, codec] of [
    ['wav', 'wmav2'],
    ['wav', 'ac3'],
    ['m4a', 'ac3'],
  ] as const) {
    const file = await encode(wav, format, ['-c:a', codec]);
    await t.throwsAsync(decode(file), { message: /its audio codec is not supported/ }, codec);
  }
});

test('implausible messages of a decoder are rejected', (t) => {
  const [id, code] = [1, 'audio_undecodable'] as const;
  const [samples, sourceSamples, sourceRate, sourceChannels] = [32_000, 96_000, 48_000, 2];
  const length = { samples, sourceSamples, sourceRate, sourceChannels };
  const done = { kind: 'done', id, ...length, startSeconds: 7 } as const;
  const check = (message: unknown): boolean =>
    isPlausible(message as DecoderMessage, { ...nothingReceived(), samples }, 60);
  t.true(check(done));
  t.true(check({ kind: 'failed', id, code, message: 'The audio cannot be decoded.' }));
  t.true(check({ kind: 'pcm', id, pcm: new Int16Array(64_000) }));
  for (const lie of [
    { ...done, samples: samples + 1 },
    { ...done, sourceSamples: 1 },
    { ...done, sourceRate: 0 },
    { ...done, sourceRate: Number.NaN },
    { ...done, sourceSamples: '96000' },
    { ...done, sourceSamples: -96_000 },
    { ...done, startSeconds: Number.NaN },
    { ...done, startSeconds: -7 },
    { ...done, startSeconds: undefined },
    { kind: 'failed', id, code: 'internal_error', message: 'no' },
    { kind: 'failed', id, code, message: 'x'.repeat(100_000) },
    { kind: 'failed', id, code, message: {} },
    { kind: 'pcm', id, pcm: 'not samples' },
    { kind: 'pcm', id, pcm: new Int16Array(61 * 16_000) },
    { kind: 'something', id },
  ]) {
    t.false(check(lie), JSON.stringify(lie).slice(0, 80));
  }
});

test('a job that computes for long gets a lower scheduling priority', async (t) => {
  const child = spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' });
  t.teardown(() => child.kill('SIGKILL'));
  await once(child, 'spawn');
  const watch = watchDecoder({ pid: child.pid, isWaiting: () => false, onLimit: () => {} });
  t.teardown(() => watch.stop());
  await until(() => watch.isLong());
  t.is(getPriority(child.pid), 19);
});

/** A program on the first core alone. */
async function onFirstCore(t: ExecutionContext, ...program: readonly string[]): Promise<number> {
  const child = spawn('taskset', ['--cpu-list', '0', ...program], { stdio: 'ignore' });
  t.teardown(() => child.kill('SIGKILL'));
  await once(child, 'spawn');
  return child.pid!;
}

const spin = ['sh', '-c', 'while :; do :; done'];

test('a job that waits for a core has not hung, one that waits for nothing has', async (t) => {
  if (process.platform !== 'linux') return t.pass('the kernel does not report on processes');
  await onFirstCore(t, ...spin);
  const starved = await onFirstCore(t, 'nice', '-n', '19', ...spin);
  const hung = await onFirstCore(t, 'sleep', '1000');
  await sleep(500);
  const [ofStarved, ofHung] = [createOwnTime(starved), createOwnTime(hung)];
  let wall = 0;
  // However long it takes until the kernel has told.
  for (let own = Infinity; wall < 2 || own > wall / 2;) {
    await sleep(250);
    wall += 0.25;
    own = ofStarved.add(0.25, false);
  }
  t.true(ofHung.add(wall, false) > wall / 2, `${wall} s`);
  t.is(createOwnTime(hung).add(5, true), 0, 'its consumer made it wait');
});
