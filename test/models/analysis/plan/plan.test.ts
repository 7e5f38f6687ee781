// Which turns of the diarizer become segments.
import test from 'ava';
import { planRecording } from '../../../../models/analysis/plan/plan.ts';
import { taskSteps } from '../../../../models/contract/tasks.ts';

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

/** What is planned for a task of a recording that speaks in these seconds. */
function planOf(task: 'affect' | 'analysis', spoken: readonly (readonly [number, number])[]) {
  const regions = spoken.map(([start, end]) => ({ startHop: hops(start), endHop: hops(end) }));
  const seconds = spoken.at(-1)![1] + 0.5;
  const probabilities = new Float32Array(hops(seconds));
  for (const { startHop, endHop } of regions) probabilities.fill(0.9, startHop, endHop);
  const samples = seconds * 16_000;
  const planned = { steps: taskSteps[task], regions, probabilities, samples, turns: null };
  const { chunks, segments } = planRecording(planned);
  return {
    segments,
    scored: chunks.map(({ spans }) => spans.map(({ start, end }) => [start, end])),
  };
}

test('speech is scored in the same segments with words and without', (t) => {
  const lengths = [0.3, 2.2, 3.1, 4.4, 0.8, 19.2, 1.6, 9, 5.1, 2.7];
  const pauses = [0.12, 0.2, 0.25, 0.7, 0.16, 0.4, 1.8];
  const long: [number, number][] = [];
  for (let at = 0.5, i = 0; i < 200; i += 1) {
    // Neighbours in the lists come apart, as 3 and 7 have no common factor with 10.
    const end = at + lengths[(3 * i + Math.floor(i / 10)) % 10]!;
    long.push([at, end]);
    at = end + pauses[i % 7]!;
  }
  const full: [number, number][] = [
    [0.5, 3.5],
    [3.7, 6.8],
    [7, 9.2],
  ];
  for (const spoken of [full, long]) {
    t.deepEqual(planOf('affect', spoken).scored, planOf('analysis', spoken).scored);
  }
});

test('without words segments end at pauses of half a second, and at others within 8 s', (t) => {
  const ends = (...spoken: readonly (readonly [number, number])[]) =>
    planOf('affect', spoken).segments!.map(({ end }) => hops(end));
  t.deepEqual(ends([0.5, 11]), [hops(11)], 'there is no pause');
  t.deepEqual(ends([0.5, 3], [3.2, 10]), [hops(3), hops(10)]);
  t.deepEqual(ends([0.5, 3.5], [3.7, 6.8], [7, 9.2]), [hops(3.5), hops(9.2)]);
  t.deepEqual(ends([0.5, 3], [3.4, 5], [5.5, 6]), [hops(5), hops(6)]);
});
