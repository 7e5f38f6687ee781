// The diarizer on synthetic embeddings: speakers, counts, overlaps, and turns in order.
import test from 'ava';
import fc from 'fast-check';
import { speakerActivity } from '../../../models/diarization/activity.ts';
import { diarize } from '../../../models/diarization/diarizer.ts';
import type { Vectors } from '../../../models/diarization/k-means.ts';
import { planWindows, windowSamples } from '../../../models/diarization/windows.ts';

const hopSamples = 384;
const rate = 16_000;

/** One speaker everywhere but in pauses of half a second after each turn. */
function conversation(turns: readonly { speaker: number; seconds: number }[]) {
  const pause = 0.5;
  const total = turns.reduce((sum, { seconds }) => sum + seconds + pause, 0);
  const samples = Math.round(total * rate);
  const counts = new Float32Array(Math.ceil(samples / hopSamples) * 2);
  const spans: { start: number; end: number; speaker: number }[] = [];
  let at = 0;
  for (const { speaker, seconds } of turns) {
    spans.push({ start: at, end: at + seconds, speaker });
    for (let hop = 0; hop < counts.length / 2; hop += 1) {
      const time = ((hop + 0.5) * hopSamples) / rate;
      if (time >= at && time < at + seconds) counts[2 * hop] = 0.95;
    }
    at += seconds + pause;
  }
  return { counts, samples, spans };
}

/** Each window points along its speaker's axis, with a small part of every other. */
function vectorsOf(
  starts: readonly number[],
  spans: readonly { start: number; end: number; speaker: number }[],
): Vectors {
  const size = 8;
  const data = new Float32Array(starts.length * size);
  starts.forEach((start, i) => {
    const centre = (start + windowSamples / 2) / rate;
    const own = spans.find((span) => centre < span.end + 0.25) ?? spans.at(-1)!;
    const vector = Float32Array.from({ length: size }, (_, d) =>
      d === own.speaker ? 1 : 0.1 * Math.sin(start / 7_000 + d),
    );
    const length = Math.hypot(...vector);
    data.set(
      vector.map((value) => value / length),
      i * size,
    );
  });
  return { data, count: starts.length, size };
}

const dialogue = [0, 1, 0, 2, 1, 0, 2].map((speaker) => ({ speaker, seconds: 4 }));

test('three voices are three speakers, in order of appearance, whatever is known', async (t) => {
  const { counts, samples, spans } = conversation(dialogue);
  const activity = speakerActivity(counts, samples);
  const starts = planWindows(activity.speech, samples);
  const vectors = vectorsOf(starts, spans);
  for (const numSpeakers of [null, 3]) {
    const turns = await diarize({ activity, starts, vectors, numSpeakers });
    t.deepEqual(
      turns.map((turn) => turn.speaker),
      dialogue.map((turn) => turn.speaker),
    );
    turns.forEach((turn, i) => {
      t.true(Math.abs(turn.start - spans[i]!.start) < 0.15);
      t.true(Math.abs(turn.end - spans[i]!.end) < 0.15);
    });
  }
  const one = await diarize({ activity, starts, vectors, numSpeakers: 1 });
  t.true(one.every((turn) => turn.speaker === 0));
});

test('as many speakers as requested, as far as there is speech for them', async (t) => {
  const { counts, samples, spans } = conversation(dialogue);
  const activity = speakerActivity(counts, samples);
  const starts = planWindows(activity.speech, samples);
  const vectors = vectorsOf(starts, spans);
  const speakersOf = async (numSpeakers: number): Promise<readonly number[]> => {
    const turns = await diarize({ activity, starts, vectors, numSpeakers });
    return [...new Set(turns.map(({ speaker }) => speaker))];
  };
  for (let requested = 1; requested <= 32; requested += 1) {
    t.deepEqual(
      await speakersOf(requested),
      Array.from({ length: requested }, (_, i) => i),
    );
  }
  const short = conversation([{ speaker: 0, seconds: 0.5 }]);
  const said = speakerActivity(short.counts, short.samples);
  const only = planWindows(said.speech, short.samples);
  const turns = await diarize({
    activity: said,
    starts: only,
    vectors: vectorsOf(only, short.spans),
    numSpeakers: 32,
  });
  t.true(turns.length >= 1 && turns.length < 32);
});

test('overlap gives a second speaker', async (t) => {
  const { counts, samples, spans } = conversation(dialogue.slice(0, 4));
  const first = Math.floor((3 * rate) / hopSamples);
  for (let hop = first; hop < first + 30; hop += 1) counts[2 * hop + 1] = 0.9;
  const activity = speakerActivity(counts, samples);
  const starts = planWindows(activity.speech, samples);
  const vectors = vectorsOf(starts, spans);
  const turns = await diarize({ activity, starts, vectors, numSpeakers: 3 });
  const at = ((first + 15) * hopSamples) / rate;
  t.is(turns.filter((turn) => turn.start < at && turn.end > at).length, 2);
});

test('silence has no windows and no turns', async (t) => {
  const activity = speakerActivity(new Float32Array(200), 100 * hopSamples);
  t.deepEqual(activity.speech, []);
  const vectors = { data: new Float32Array(0), count: 0, size: 0 };
  t.deepEqual(await diarize({ activity, starts: [], vectors, numSpeakers: null }), []);
});

test('windows lie in the recording, ascend, and reach into every speech segment', (t) => {
  const spans = fc.array(
    fc.tuple(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 200 })),
    {
      maxLength: 8,
    },
  );
  fc.assert(
    fc.property(spans, (steps) => {
      let hop = 0;
      const speech = steps.map(([gap, length]) => {
        const startSample = (hop += gap) * hopSamples;
        return { startSample, endSample: (hop += length) * hopSamples };
      });
      const samples = hop * hopSamples;
      const starts = planWindows(speech, samples);
      t.true(starts.every((start, i) => i === 0 || start > starts[i - 1]!));
      t.true(starts.every((start) => start >= 0 && start <= Math.max(0, samples - windowSamples)));
      for (const { startSample, endSample } of speech) {
        t.true(starts.some((s) => s < endSample && s + windowSamples > startSample));
      }
    }),
  );
});
