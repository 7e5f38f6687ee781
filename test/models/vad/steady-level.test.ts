// The level at which voice activity hears a recording: the same for copies with other gains.
import test from 'ava';
import { atSteadyLevel, heardAfter, nothingHeard } from '../../../models/vad/steady-level.ts';
import { hopSamples } from '../../../models/vad/hops.ts';
import { toFloat } from '../../../models/audio/waveform.ts';

/** A tone, by hop. */
function tone(amplitudes: readonly number[]): Float32Array {
  return Float32Array.from({ length: amplitudes.length * hopSamples }, (_, i) => {
    return amplitudes[Math.floor(i / hopSamples)]! * Math.sin(i / 5);
  });
}

const peak = (samples: Float32Array): number =>
  samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
const inPcm = (samples: Float32Array): Int16Array =>
  Int16Array.from(samples, (value) => Math.round(value * 32_768));

test('a recording is heard alike at any level', (t) => {
  const spoken = [0.001, 0.001, 0.3, 0.4, 0.4, 0.3, 0.001];
  const expected = atSteadyLevel(tone(spoken));
  for (const gain of [0.02, 0.1, 0.5, 2]) {
    const found = atSteadyLevel(tone(spoken.map((value) => value * gain)));
    found.forEach((value, i) => {
      if (Math.abs(value - expected[i]!) > 1e-6) t.fail(`${gain} at ${i}`);
    });
  }
  t.true(Math.abs(peak(expected) - (0.2 * Math.SQRT2 * 4) / 3) < 0.02);
});

test('a pop does not count, before quiet speech or in it', (t) => {
  const speech = [0.01, 0.01, 0.01, 0.01, 0.01];
  const expected = atSteadyLevel(tone([0, 0, 0, ...speech])).slice(-hopSamples);
  const found = atSteadyLevel(tone([0, 0.9, 0.9, ...speech])).slice(-hopSamples);
  t.true(Math.abs(peak(found) / peak(expected) - 1) < 0.01);
});

test('noise below the level of speech is raised by 36 dB at most', (t) => {
  const noise = tone(Array<number>(10).fill(0.0003));
  t.true(Math.abs(peak(atSteadyLevel(noise)) / peak(noise) - 64) < 0.01);
  t.deepEqual(atSteadyLevel(new Float32Array(700)), new Float32Array(700));
  t.deepEqual(atSteadyLevel(new Float32Array(0)), new Float32Array(0));
});

test('what was heard before counts, and fades within minutes', (t) => {
  const loud = inPcm(tone(Array<number>(10).fill(0.5)));
  const quiet = tone(Array<number>(10).fill(0.02));
  const soon = peak(atSteadyLevel(quiet, heardAfter(loud, nothingHeard))) / peak(quiet);
  t.true(Math.abs(soon - 0.2 / (0.5 / Math.SQRT2)) < 0.02);
  const minute = new Int16Array(60 * 16_000);
  const after = [loud, minute, minute, minute].reduce(
    (heard, pcm) => heardAfter(pcm, heard),
    nothingHeard,
  );
  t.true(Math.abs(peak(atSteadyLevel(quiet, after)) / peak(quiet) / soon - 8) < 0.2);
});

test('silence behind changes nothing of what precedes it', (t) => {
  const spoken = tone([0.1, 0.5, 0.5, 0.5, 0.02, 0.02]);
  const followed = new Float32Array(spoken.length + 20 * 16_000);
  followed.set(spoken);
  t.deepEqual(atSteadyLevel(followed).subarray(0, spoken.length), atSteadyLevel(spoken));
});

test('parts of a recording are heard as the whole is', (t) => {
  const pcm = inPcm(tone([0.1, 0.5, 0.5, 0.5, 0.02, 0.02, 0.02, 0.02]));
  const part = 3 * hopSamples;
  const heard = heardAfter(pcm.subarray(part), heardAfter(pcm.subarray(0, part), nothingHeard));
  t.deepEqual(heard, heardAfter(pcm, nothingHeard));
  const rest = toFloat(pcm.subarray(part));
  const expected = atSteadyLevel(toFloat(pcm)).subarray(part);
  const found = atSteadyLevel(rest, heardAfter(pcm.subarray(0, part), nothingHeard));
  t.true(found.every((value, i) => Math.abs(value - expected[i]!) < 1e-6));
});
