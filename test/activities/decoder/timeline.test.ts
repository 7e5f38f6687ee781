// Words keep their place in a recording whose sound begins late or pauses.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { Timeline } from '../../../activities/decoder/timeline.ts';
import { joinSamples } from '../../../models/audio/samples.ts';
import { ServiceError } from '../../../models/contract/errors.ts';
import { aDecoder, type TestDecoder } from '../../support/decoding.ts';
import { matroskaFile } from '../../support/matroska.ts';
import {
  encode,
  noise,
  tone,
  toWav,
  withDirectory,
  type FileFormat,
} from '../../support/speech.ts';

const rate = 16_000;
const frameSeconds = 0.02;

/** Seconds of silence before each frame that begins at one of `starts`. */
function missing(starts: readonly (number | null)[], from: number | null = 0): number[] {
  const timeline = new Timeline(from);
  timeline.sampleRate = rate;
  return starts.map(
    (startSeconds) => timeline.missingBefore(startSeconds, frameSeconds * rate) / rate,
  );
}

test('a pause is as long as the time that no frame has', (t) => {
  t.deepEqual(missing([0, 0.02, 5, 5.02]), [0, 0, 4.96, 0]);
  t.deepEqual(missing([5, 5.02]), [5, 0], 'a late start');
  t.deepEqual(missing([5, 5.02], null), [0, 0], 'its own start');
  t.deepEqual(missing([0, null, 0.04]), [0, 0, 0]);
});

test('jitter, time that goes back and clocks that err by hours are no pauses', (t) => {
  t.deepEqual(missing([0, 0.1, 0.06, 0.14]), [0, 0, 0, 0]);
  t.deepEqual(missing([0, 5, 0, 5.02]), [0, 4.98, 0, 0], 'the same time again');
  t.deepEqual(missing([0, 9_000, 9_000.02, 9_001.04]), [0, 0, 0, 1]);
  t.deepEqual(missing([9_000, 9_000.02]), [0, 0]);
});

test('a recording begins at its first sample, or at the silence that precedes it', (t) => {
  const begins = (first: number | null, from: number | null): number => {
    const timeline = new Timeline(from);
    timeline.sampleRate = rate;
    timeline.missingBefore(first, frameSeconds * rate);
    timeline.missingBefore(100_000, frameSeconds * rate);
    return timeline.startSeconds;
  };
  t.is(new Timeline(7).startSeconds, 0, 'without a frame');
  t.deepEqual([begins(7, 7), begins(7, null), begins(null, 7), begins(null, null)], [7, 7, 7, 0]);
  t.is(begins(9, 7), 7, 'silence up to its sound');
  t.is(begins(7.05, 7), 7.05, 'too short a gap');
  t.is(begins(9_000, 7), 9_000, 'too long a gap');
  t.is(begins(-0.007, null), 0, 'no player shows such a time');
});

test('packets that were lost add up to a pause, the drift of a clock does not', (t) => {
  const lossy = Array.from({ length: 8 }, (_, i) => i * 0.04);
  t.deepEqual(
    missing(lossy).map((seconds) => Math.round(seconds * 100)),
    [0, 0, 0, 0, 0, 0, 12, 0],
  );
  const drifting = Array.from({ length: 5_000 }, (_, i) => i * 0.020_1);
  t.true(missing(drifting).every((seconds) => seconds === 0));
});

/** Where the first sound and the last one are, in seconds, and the length. */
async function heard(
  decode: TestDecoder['decode'],
  file: Buffer,
): Promise<{ first: number; last: number; seconds: number; silent: number }> {
  const pcm: number[] = [];
  const audio = await decode(file, { onPcm: (block) => void pcm.push(...block) });
  const isLoud = (sample: number): boolean => Math.abs(sample) > 1_000;
  const silent = pcm.filter((sample) => Math.abs(sample) < 3).length;
  return {
    first: pcm.findIndex(isLoud) / rate,
    last: pcm.findLastIndex(isLoud) / rate,
    seconds: audio.sourceSamples / audio.sourceRate,
    silent: silent / rate,
  };
}

const wav = toWav(tone(440, 4));
const picture = (codec: string, seconds: number): string[] => [
  ...['-f', 'lavfi', '-i', `testsrc=size=32x24:rate=4:duration=${seconds}`],
  ...['-map', '0:a', '-map', '1:v', '-c:v', codec],
];
const withPicture: readonly (readonly [FileFormat, string])[] = [
  ['mp4', 'mpeg4'],
  ['mov', 'mpeg4'],
  ['webm', 'libvpx'],
  ['mka', 'mpeg4'],
];
const late = ['-af', 'asetpts=PTS+2/TB'];
const pausing = ['-af', "aselect='not(between(t,1,3))'"];

test('sound that begins after the picture has its time in the film', async (t) => {
  const { decode } = aDecoder(t);
  for (const [format, codec] of withPicture) {
    const file = await encode(wav, format, [...picture(codec, 7), ...late]);
    const { first, last, seconds } = await heard(decode, file);
    t.true(Math.abs(first - 2) < 0.05, `${format}: ${first}`);
    t.true(Math.abs(last - 6) < 0.05 && Math.abs(seconds - 6) < 0.05, `${format}: ${seconds}`);
  }
});

test('an empty edit delays sound that is alone, and nothing else does', async (t) => {
  const { decode } = aDecoder(t);
  const edited = await heard(decode, await encode(wav, 'm4a', late));
  t.true(Math.abs(edited.first - 2) < 0.05);
  t.is(edited.seconds, 6, 'up to the end of its edit');
  for (const options of [
    ['-f', 'webm'],
    ['-f', 'webm', '-live', '1'],
  ]) {
    const file = await encode(wav, 'webm', [...late, ...options]);
    t.true((await heard(decode, file)).first < 0.05, options.join(' '));
  }
  const fragments = ['-movflags', 'frag_keyframe+empty_moov', '-frag_duration', '500000'];
  const file = await encode(wav, 'm4a', [...fragments, '-output_ts_offset', '3000']);
  t.true((await heard(decode, file)).first < 0.1);
});

test('where a recording begins in the time that players show', async (t) => {
  const { decode } = aDecoder(t);
  const later = (seconds: number) => ['-output_ts_offset', `${seconds}`];
  const fragments = ['-movflags', 'frag_keyframe+delay_moov', '-frag_duration', '500000'];
  const beginnings: readonly (readonly [FileFormat, readonly string[], number])[] = [
    ['webm', later(7), 7],
    ['webm', [...later(7), '-live', '1'], 7],
    ['webm', [...picture('libvpx', 7), ...later(7)], 7],
    ['mka', ['-c:a', 'libopus', '-af', 'asetpts=PTS+2.5/TB'], 2.5],
    ['mka', ['-c:a', 'pcm_s16le', '-af', 'asetpts=PTS+2.5/TB'], 2.5],
    ['ogg', ['-c:a', 'libvorbis', ...later(500)], 500],
    ['opus', later(500), 500],
    // Its priming is part of its sound.
    ['m4a', [...fragments, ...later(7)], 7 - 1_024 / rate],
    ['m4a', fragments, 0],
    ['webm', [...picture('libvpx', 7), ...late], 0],
    ['m4a', late, 0],
    ...(['webm', 'ogg', 'opus', 'm4a', 'mp3', 'flac'] as const).map(
      (format) => [format, [], 0] as const,
    ),
  ];
  t.is((await decode(wav)).startSeconds, 0);
  for (const [format, options, expected] of beginnings) {
    const { startSeconds } = await decode(await encode(wav, format, options));
    const name = `${format} ${options.join(' ')}: ${startSeconds}`;
    t.true(Math.abs(startSeconds - expected) < 0.02, name);
  }
});

test('a pause of the connection is a pause of the recording', async (t) => {
  const { decode } = aDecoder(t);
  for (const [format, options] of [
    ['webm', []],
    ['webm', ['-live', '1']],
    ['opus', ['-page_duration', '20000']],
    ['opus', []],
    ['ogg', ['-c:a', 'libvorbis', '-page_duration', '20000']],
    ['m4a', []],
    ['m4a', ['-movflags', 'frag_keyframe+empty_moov', '-frag_duration', '500000']],
    ['mka', ['-c:a', 'pcm_u8']],
    ['mka', ['-c:a', 'pcm_s16le', '-ac', '3']],
  ] as const) {
    const name = `${format} ${options.join(' ')}`;
    const file = await encode(wav, format, [...pausing, ...options]);
    const { silent, seconds } = await heard(decode, file);
    t.true(seconds > 3.99 && seconds < 4.07, `${name}: ${seconds} s`);
    t.true(silent > 1.9 && silent < 2.15, `${name}: ${silent} s of silence`);
  }
});

test('a film is complete when its sound ends early, and truncated when it is', async (t) => {
  const { decode } = aDecoder(t);
  for (const [format, codec] of withPicture) {
    const sound = toWav(tone(440, 4, 48_000), { rate: 48_000 });
    for (const options of [picture(codec, 10), [...picture(codec, 10), ...late], pausing]) {
      const file = await encode(sound, format, options);
      const name = `${format} ${options.join(' ')}`;
      await t.notThrowsAsync(decode(file), name);
      for (const share of [0.3, 0.6, 0.9]) {
        const part = file.subarray(0, Math.floor(file.length * share));
        const { code } = await t.throwsAsync(decode(part), { instanceOf: ServiceError }, name);
        t.is(code, 'audio_undecodable', name);
      }
    }
  }
});

test('pauses count against the limit, and jumps of hours are none', async (t) => {
  const { decode } = aDecoder(t);
  const spaced = (packetMs: number): Buffer =>
    matroskaFile({
      ...{ codec: 'A_PCM/INT/LIT', sampleRate: rate, channels: 1, packetMs },
      packets: Array.from({ length: 3 }, () => wav.subarray(44, 44 + 8_000)),
    });
  t.is((await decode(spaced(250))).samples, 12_000);
  t.is((await decode(spaced(20_000))).samples, 40.25 * rate);
  const { code } = await t.throwsAsync(decode(spaced(40_000)), { instanceOf: ServiceError });
  t.is(code, 'audio_too_long');
  t.is((await decode(spaced(4_000_000))).samples, 12_000);
});

test('Ogg that is cut out of a longer stream has the length of its sound', async (t) => {
  const { decode } = aDecoder(t);
  const wav = toWav(tone(440, 3));
  const later = ['-output_ts_offset', '500'];
  for (const codec of ['flac', 'libvorbis', 'libopus', 'libspeex']) {
    const lengths: number[] = [];
    for (const options of [[], later]) {
      const file = await encode(wav, 'ogg', ['-c:a', codec, ...options]);
      const { sourceSamples, sourceRate } = await decode(file);
      lengths.push(sourceSamples / sourceRate);
    }
    t.is(lengths[1], lengths[0], codec);
    t.true(Math.abs(lengths[0]! - 3) < 0.03, `${codec}: ${lengths[0]} s`);
  }
});

test('Vorbis that was cut within a page keeps its last sound', async (t) => {
  const { decode } = aDecoder(t);
  const murmur = noise(5, { seed: 7, amplitude: 300 });
  const source = toWav(joinSamples([murmur, tone(440, 0.1)]));
  await withDirectory(async (directory) => {
    const path = join(directory, 'whole.ogg');
    await writeFile(path, await encode(source, 'ogg', ['-c:a', 'libvorbis']));
    for (const from of ['1.3', '2.62', '3.9']) {
      const cut = ['-ss', from, '-i', path, '-map', '1:a', '-c', 'copy'];
      const { first, last } = await heard(decode, await encode(source, 'ogg', cut));
      t.true(last - first > 0.08, `cut at ${from}: ${last - first} s of its last sound`);
    }
  });
});
