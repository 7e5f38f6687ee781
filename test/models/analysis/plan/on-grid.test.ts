// A plan moves with its sound: hops that begin elsewhere change nothing but where it is.
import test from 'ava';
import fc from 'fast-check';
import { planSpeech } from '../../../../models/analysis/plan/plan-speech.ts';
import { readChunk } from '../../../../models/analysis/plan/chunk-samples.ts';
import { samplesInMemory, withSilence } from '../../../../models/audio/samples.ts';
import { sampleRate } from '../../../../models/audio/sample-rate.ts';
import type { RecordingRequest } from '../../../../models/contract/recording-request.ts';
import { hopSamples } from '../../../../models/vad/hops.ts';

const options = { diarize: false, numSpeakers: null, includeLogits: true };
const task = (name: 'affect' | 'analysis'): RecordingRequest => {
  return { task: name, model: 'svc-resonance', options };
};
const hops = 240;
/** Speech from hop 3 to 90 and from 150 to the end. */
const heard = new Float32Array(hops).fill(0.9, 3, 90).fill(0.9, 150);
const sound = Int16Array.from({ length: hops * hopSamples }, (_, i) => 100 + (i % 7_001));

test('the same speech is read, wherever between two hops the recording begins', async (t) => {
  const read = async (startSample: number) => {
    const pcm =
      startSample >= 0 ? withSilence(sound, { before: startSample }) : sound.subarray(-startSample);
    const speech = { channels: [heard], samples: pcm.length, turns: null, startSample };
    const { chunks } = planSpeech(task('affect'), speech);
    const spoken = chunks.map(async (chunk) => {
      const samples = await readChunk(samplesInMemory(pcm), chunk);
      const before = chunk.silence?.beforeSamples ?? 0;
      const spans = chunk.spans.map(({ start, end }) => {
        return [before + start * sampleRate, before + end * sampleRate].map(Math.round);
      });
      return { samples, spans };
    });
    return Promise.all(spoken);
  };
  const expected = await read(0);
  t.true(expected.length > 0);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: hopSamples / 2 }), async (start) => {
      t.deepEqual(await read(start), expected);
    }),
    { numRuns: 20 },
  );
  // What is cut off of the sound is all that is missing.
  for (const start of [-1, -100, -256]) {
    const [first, ...rest] = await read(start);
    const [all, ...others] = expected;
    t.deepEqual(rest, others);
    t.deepEqual(first!.spans, all!.spans);
    const missing = all!.samples.findIndex((sample) => sample !== 0);
    t.deepEqual(first!.samples, all!.samples.with(missing, 0).fill(0, missing, missing - start));
  }
});

test('segments and turns are on the clock of the recording, and within it', (t) => {
  const seconds = (hops * hopSamples) / sampleRate;
  const turns = [
    { start: 0, end: 4, speaker: 0 },
    { start: 5, end: seconds, speaker: 1 },
  ];
  for (const startSample of [-250, 0, 250]) {
    const speech = { channels: [heard], samples: hops * hopSamples, startSample };
    const planned = planSpeech(task('analysis'), { ...speech, turns }).segments!;
    for (const [i, { start, end }] of planned.entries()) {
      t.true(Math.abs(start - turns[i]!.start) < 1e-9 && Math.abs(end - turns[i]!.end) < 1e-9);
    }
    const segments = planSpeech(task('affect'), { ...speech, turns: null }).segments!;
    t.true(segments.length > 1);
    t.true(segments[0]!.start >= 0 && segments.at(-1)!.end <= seconds);
  }
});

test('a recording without speech is one segment, from its first sample to its last', (t) => {
  for (const startSample of [-200, 200]) {
    const speech = { channels: [new Float32Array(20)], samples: 10_000, turns: null, startSample };
    const { segments } = planSpeech(task('affect'), speech);
    t.deepEqual(segments, [{ start: 0, end: 10_000 / sampleRate, speaker: null }]);
  }
});
