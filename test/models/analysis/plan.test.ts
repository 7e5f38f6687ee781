// Which turns of the diarizer become segments.
import test from 'ava';
import { planRecording } from '../../../models/analysis/plan.ts';
import { taskSteps } from '../../../models/contract/tasks.ts';

const hops = (seconds: number): number => Math.round(seconds / 0.032);

function plan(
  turns: readonly (readonly [start: number, end: number, speaker: number])[],
  exactSpeakers = false,
) {
  return planRecording({
    steps: taskSteps.analysis,
    regions: [
      { startHop: hops(1), endHop: hops(5) },
      { startHop: hops(20), endHop: hops(24) },
    ],
    probabilities: new Float32Array(hops(30)).fill(0.9),
    samples: 30 * 16_000,
    turns: turns.map(([start, end, speaker]) => ({ start, end, speaker })),
    exactSpeakers,
  });
}

test('turns without speech are left out, and speakers are renumbered', (t) => {
  const { segments, speakers } = plan([
    [1, 5, 0],
    [8, 12, 1],
    [13, 15, 0],
    [19.5, 24, 2],
  ]);
  t.deepEqual(segments, [
    { start: 1, end: 5, speaker: 0 },
    { start: 19.5, end: 24, speaker: 1 },
  ]);
  t.is(speakers, 2);
});

test('each of the requested speakers keeps a turn, if there is speech at all', (t) => {
  const turns = [
    [1, 5, 0],
    [8, 12, 1],
    [13, 15, 0],
  ] as const;
  const { segments, speakers } = plan(turns, true);
  t.deepEqual(segments, [
    { start: 1, end: 5, speaker: 0 },
    { start: 8, end: 12, speaker: 1 },
  ]);
  t.is(speakers, 2);
  t.is(plan([[8, 12, 1]], true).speakers, 1);
});

test('a turn that contains speech in part stays whole', (t) => {
  t.deepEqual(plan([[4.9, 9, 3]]).segments, [{ start: 4.9, end: 9, speaker: 0 }]);
});

test('where only voice activity detection finds speech, it is one speaker', (t) => {
  const { segments, speakers } = plan([]);
  t.is(speakers, 1);
  t.deepEqual(
    segments!.map(({ speaker }) => speaker),
    [0, 0],
  );
});

test('silence has no speaker, even where the diarizer found one', (t) => {
  const silence = {
    regions: [],
    probabilities: new Float32Array(hops(2)),
    samples: 32_000,
    turns: [{ start: 0, end: 2, speaker: 0 }],
  };
  for (const task of ['transcription', 'affect'] as const) {
    t.is(planRecording({ ...silence, steps: taskSteps[task] }).speakers, null, task);
  }
});

test('a segment is scored where it contains speech, not at the edge of a neighbour', (t) => {
  const { chunks, segments } = plan([
    [1, 4.95, 0],
    [4.95, 6, 1],
  ]);
  t.is(segments!.length, 2);
  t.deepEqual(
    chunks.flatMap(({ spans }) => spans!.map(({ segment }) => segment)),
    [0],
  );
});

test('speech that lasts to the end of a recording is scored into the silence behind it', (t) => {
  const samples = hops(4) * 512 - 100;
  const regions = [{ startHop: 0, endHop: hops(4) + 2 }];
  const probabilities = new Float32Array(hops(4) + 16).fill(0.9, 0, hops(4) + 2);
  const turns = [{ start: 0, end: samples / 16_000, speaker: 0 }];
  const input = { steps: taskSteps.affect, regions, probabilities, samples };
  for (const known of [null, turns]) {
    const { chunks, segments, speechSeconds } = planRecording({ ...input, turns: known });
    t.deepEqual(
      segments!.map(({ end }) => end),
      [samples / 16_000],
    );
    t.is(speechSeconds, samples / 16_000);
    t.deepEqual(chunks[0]!.silence, { beforeSamples: 8_000, afterSamples: 8_000 + 1_124 });
    t.deepEqual(chunks[0]!.spans, [
      { segment: 0, start: 0, end: (regions[0]!.endHop * 512) / 16_000 },
    ]);
  }
});
