// The guarded decoder: every format becomes mono at 16 kHz, and every broken file is a 4xx.
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { rm } from 'node:fs/promises';
import { DecoderDied } from '../../../activities/decoder/decode-error.ts';
import { createDecoder, type DecodedAudio } from '../../../activities/decoder/decoder.ts';
import { ServiceError } from '../../../models/contract/errors.ts';
import { brokenFiles } from '../../support/broken-audio.ts';
import { childrenThatRun } from '../../support/child-processes.ts';
import { decoderFolder } from '../../support/decoder-folder.ts';
import { aDecoder } from '../../support/decoding.ts';
import { frequency } from '../../support/frequency.ts';
import {
  encode,
  silence,
  toStereoWav,
  tone,
  toWav,
  toWavOfChannels,
} from '../../support/speech.ts';

test('every format, rate and channel count keeps its duration and its tone', async (t) => {
  const { decode } = aDecoder(t);
  for (const rate of [8_000, 16_000, 44_100, 48_000]) {
    for (const channels of [1, 2, 6]) {
      const wav = toWav(tone(440, 2, rate), { rate, channels });
      const files = [wav];
      for (const format of ['flac', 'mp3', 'm4a', 'ogg', 'opus', 'webm'] as const) {
        if (format === 'mp3' && channels > 2) continue;
        if (rate !== 48_000 && ['opus', 'webm'].includes(format)) continue;
        files.push(await encode(wav, format));
      }
      for (const [i, file] of files.entries()) {
        const pcm: number[] = [];
        const audio = await decode(file, {
          onPcm: (block) => void pcm.push(...block),
        });
        const seconds = audio.sourceSamples / audio.sourceRate;
        const name = `file ${i} at ${rate} Hz with ${channels} channels`;
        t.true(Math.abs(seconds - 2) < 0.06, `${name}: ${seconds} s`);
        t.is(pcm.length, audio.samples, name);
        t.true(Math.abs(frequency(Int16Array.from(pcm)) - 440) < 4, name);
      }
    }
  }
});

test('what one channel holds is heard, whichever it is and whatever its name', async (t) => {
  const { decode } = aDecoder(t);
  for (const channels of [2, 3, 4, 6, 8]) {
    for (const channel of [0, channels > 3 ? 3 : 1, channels - 1]) {
      const wav = toWavOfChannels(
        Array.from({ length: channels }, (_, i) => tone(i === channel ? 440 : 0, 1)),
      );
      const loudest: number[] = [];
      for (const file of [wav, await encode(wav, 'flac')]) {
        let peak = 0;
        await decode(file, {
          onPcm: (pcm) => void (peak = pcm.reduce((max, x) => Math.max(max, Math.abs(x)), peak)),
        });
        loudest.push(peak * channels);
      }
      const expected = Math.max(...tone(440, 1));
      const name = `channel ${channel} of ${channels}: ${loudest.join(', ')}`;
      t.true(
        loudest.every((peak) => Math.abs(peak - expected) < 0.02 * expected),
        name,
      );
    }
  }
});

test('M4A decodes with and without faststart, WebM without a duration', async (t) => {
  const { decode } = aDecoder(t);
  const wav = toWav(tone(440, 2));
  for (const file of [
    await encode(wav, 'm4a'),
    await encode(wav, 'm4a', ['-movflags', 'faststart']),
    await encode(wav, 'webm', ['-live', '1']),
  ]) {
    const { samples } = await decode(file);
    t.true(Math.abs(samples - 32_000) < 1_000);
  }
});

test('fifty and more broken files have the right code; the decoder survives', async (t) => {
  const { decode } = aDecoder(t);
  const files = await brokenFiles();
  t.true(files.length >= 50, `${files.length}`);
  for (const { name, bytes, codes } of files) {
    const error = await t.throwsAsync(decode(bytes), { instanceOf: ServiceError }, name);
    t.true(codes.includes(error.code), `${name}: ${error.code} ${error.message}`);
  }
  t.is((await decode(toWav(silence(1)))).samples, 16_000);
});

test('limits are inclusive, to the exact sample', async (t) => {
  const { decode } = aDecoder(t);
  t.is((await decode(toWav(silence(60)))).samples, 960_000);
  t.is((await decode(toWav(new Int16Array(1_600)))).samples, 1_600);
  const long = await t.throwsAsync(decode(toWav(new Int16Array(960_001))), {
    instanceOf: ServiceError,
  });
  t.is(long.code, 'audio_too_long');
  const short = await t.throwsAsync(decode(toWav(new Int16Array(1_599))), {
    instanceOf: ServiceError,
  });
  t.is(short.code, 'audio_too_short');
});

test('hours of silence in a small file are cut off at the limit', async (t) => {
  const { decode } = aDecoder(t);
  const bomb = await encode(toWav(silence(1)), 'flac', ['-af', 'apad=whole_dur=7200']);
  t.true(bomb.length < 2_000_000);
  let samples = 0;
  const error = await t.throwsAsync(
    decode(bomb, { onPcm: (pcm) => void (samples += pcm.length) }),
    { instanceOf: ServiceError },
  );
  t.is(error.code, 'audio_too_long');
  t.true(samples <= 62 * 16_000);
});

test('an error of the consumer ends the decoding, and the next file is decoded', async (t) => {
  const { decode } = aDecoder(t);
  const failing = decode(toWav(silence(30)), {
    onPcm: () => Promise.reject(new Error('storage is full')),
  });
  await t.throwsAsync(failing, { message: 'storage is full' });
  t.is((await decode(toWav(silence(1)))).samples, 16_000);
});

test('queued files are not assigned to a decoder that is being killed', async (t) => {
  const { decode } = aDecoder(t, 1);
  const [clip, call] = [toWav(silence(1)), toWav(silence(30))];
  for (let round = 0; round < 3; round += 1) {
    const waiting: Promise<DecodedAudio>[] = [];
    const failing = decode(call, {
      onPcm: async () => {
        waiting.push(decode(clip));
        // Time for it to enter the queue.
        await sleep(100);
        throw new Error('too long');
      },
    });
    await t.throwsAsync(failing, { message: 'too long' });
    for (const next of waiting) t.is((await next).samples, 16_000);
  }
});

test.serial('a decoder that is killed from outside is reported as such', async (t) => {
  const { decode } = aDecoder(t, 1);
  const killed = decode(toWav(silence(30)), {
    // The first block is never consumed, so nothing but the kill ends the job.
    onPcm: () => {
      const mine = ['-P', String(process.pid), '-f', 'decoder/child'];
      // The other one was started in advance; numbers of processes begin anew at some point.
      const found = execFileSync('pgrep', ['--oldest', ...mine]);
      process.kill(Number.parseInt(found.toString()), 'SIGKILL');
      return new Promise(() => {});
    },
  });
  await t.throwsAsync(killed, { instanceOf: DecoderDied });
  t.is((await decode(toWav(silence(1)))).samples, 16_000);
});

test.serial(
  'decoders that die before they get a file are replaced, and no file is to blame',
  async (t) => {
    const decoder = createDecoder({ processes: 1 });
    t.teardown(() => decoder.close());
    const ready = decoder.ready();
    for (const pid of childrenThatRun('decoder/child')) process.kill(pid, 'SIGKILL');
    const request = {
      path: '/nowhere',
      container: 'wav',
      bytes: 44,
      organizationId: 'org',
    } as const;
    const limits = { minSeconds: 0.1, maxSeconds: 60, onPcm: () => {} };
    await t.throwsAsync(decoder.decode({ ...request, ...limits }), { name: 'DecoderUnavailable' });
    await ready;
    await t.notThrowsAsync(decoder.ready());
  },
);

test.serial('a place is free again after a decoder could not be started', async (t) => {
  const directory = await decoderFolder(t);
  const decoder = createDecoder({ processes: 1, directory });
  t.teardown(() => decoder.close());
  await decoder.ready();
  // As on a full disk: neither a decoder for this file nor a successor can be started.
  await rm(directory, { recursive: true });
  const request = { path: '/nowhere', container: 'wav', bytes: 44 } as const;
  const limits = { minSeconds: 0.1, maxSeconds: 60, onPcm: () => {} };
  for (let i = 0; i < 12; i += 1) {
    const file = { ...request, ...limits, organizationId: `org ${i}` };
    await t.throwsAsync(decoder.decode(file), { code: 'ENOENT' });
  }
});

test('one channel is extracted from every format', async (t) => {
  const { decode } = aDecoder(t);
  const [left, right] = [tone(440, 2), tone(1_000, 2)];
  const wav = toStereoWav(left, right);
  const files = [
    wav,
    await encode(wav, 'flac'),
    await encode(wav, 'ogg'),
    await encode(wav, 'm4a'),
  ];
  for (const [i, bytes] of files.entries()) {
    for (const [channel, hz] of [440, 1_000].entries()) {
      const pcm: number[] = [];
      await decode(bytes, { channel, onPcm: (block) => void pcm.push(...block) });
      const found = frequency(Int16Array.from(pcm));
      t.true(Math.abs(found - hz) < 5, `file ${i}, channel ${channel}: ${found} Hz`);
    }
  }
});

test('a declared length that is too short never passes for long enough', async (t) => {
  const { decode } = aDecoder(t, 1);
  for (const [samples, minSeconds] of [
    [719, 0.045],
    [1_599, 0.1],
    [15_999, 1],
    [79_999, 5],
  ] as const) {
    const decoding = decode(toWav(new Int16Array(samples)), { minSeconds });
    const { message } = await t.throwsAsync(decoding, { instanceOf: ServiceError });
    const [has, needed] = message.match(/\d+(\.\d+)?/g)!.map(Number);
    t.is(needed, minSeconds);
    t.true(has! < needed!, message);
  }
});
