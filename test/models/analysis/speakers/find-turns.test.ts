// Who speaks when, by a pool that hears a voice in each value of the samples.
import test from 'ava';
import { samplesInMemory } from '../../../../models/audio/samples.ts';
import { sampleRate } from '../../../../models/audio/sample-rate.ts';
import { findTurns } from '../../../../models/analysis/speakers/find-turns.ts';
import { InferenceFailed } from '../../../../models/inference/errors.ts';
import { createFakePool, spoken } from '../../../support/fake-pool.ts';
import { embedVoices, detectVoices } from '../../../support/fake-voices.ts';

const job = { organizationId: 'o', priority: 1 } as const;
const seconds = 45;
/** Two voices in turn: the first turn goes on over the ends of counted pieces, of 8 s each. */
const dialogue = spoken(seconds, [
  { value: 1, startSeconds: 2, endSeconds: 22 },
  { value: 2, startSeconds: 24, endSeconds: 33 },
  { value: 1, startSeconds: 35, endSeconds: 44 },
]);

function inputOf(pcm: Int16Array) {
  return { samples: pcm.length, numSpeakers: null, read: samplesInMemory(pcm), job };
}

const voices = { countSpeakers: detectVoices, embedSpeakers: embedVoices };

test('voices become turns, numbered as they appear', async (t) => {
  const turns = await findTurns(createFakePool(voices), inputOf(dialogue));
  t.deepEqual(
    turns.map(({ speaker }) => speaker),
    [0, 1, 0],
  );
  const expected = [2, 22, 24, 33, 35, 44];
  turns
    .flatMap(({ start, end }) => [start, end])
    .forEach((at, i) => t.true(Math.abs(at - expected[i]!) < 0.1, `${at} is not ${expected[i]}`));
});

test('a piece is counted with context on each side, which is discarded', async (t) => {
  const edgeHops = 25;
  const pool = createFakePool({
    ...voices,
    // Blind at both ends, as a network without context is.
    countSpeakers: async (pcm) => {
      const counts = await detectVoices(pcm);
      counts.fill(0, counts.length - 2 * edgeHops);
      if (pcm[0] !== 0) counts.fill(0, 0, 2 * edgeHops);
      return counts;
    },
  });
  const turns = await findTurns(pool, inputOf(dialogue));
  t.deepEqual(
    turns.map(({ speaker }) => speaker),
    [0, 1, 0],
  );
  const longest = Math.max(...pool.of('countSpeakers').map(({ pcm }) => pcm.length));
  t.true(longest <= 9.3 * sampleRate, `${longest / sampleRate} s in one job`);
});

test('windows of one segment are embedded together, in order', async (t) => {
  const pool = createFakePool(voices);
  const reported: number[] = [];
  const onProgress = (share: number): void => void reported.push(share);
  await findTurns(pool, { ...inputOf(dialogue), onProgress });
  for (const { pcm } of pool.of('embedSpeakers')) t.true(pcm.length <= 22 * sampleRate);
  const jobs = pool.of('countSpeakers').length + pool.of('embedSpeakers').length;
  t.is(reported.length, jobs, 'each job is progress');
  t.deepEqual(
    reported,
    reported.toSorted((a, b) => a - b),
  );
  t.is(reported.at(-1), 1);
});

test('a long recording has the same turns with an embedding for every second window', async (t) => {
  let windows = 0;
  const pool = createFakePool({
    ...voices,
    embedSpeakers: (pcm, startSamples) => {
      windows += startSamples.length;
      return embedVoices(pcm, startSamples);
    },
  });
  const spans = [
    { value: 1, startSeconds: 2, endSeconds: 122 },
    // Speaks at once.
    { value: 2, startSeconds: 122, endSeconds: 242 },
    { value: 1, startSeconds: 244, endSeconds: 364 },
  ];
  const turns = await findTurns(pool, inputOf(spoken(366, spans)));
  t.deepEqual(
    turns.map(({ speaker }) => speaker),
    [0, 1, 0],
  );
  turns.forEach(({ start }, i) => t.true(Math.abs(start - spans[i]!.startSeconds) < 1));
  // 360 s of speech, a window every 1.2 s: half of them, and one where the voice changes.
  t.true(windows > 145 && windows < 160, `${windows} windows`);
});

test('a requested number of speakers is kept', async (t) => {
  const turns = await findTurns(createFakePool(voices), { ...inputOf(dialogue), numSpeakers: 1 });
  t.deepEqual([...new Set(turns.map(({ speaker }) => speaker))], [0]);
});

test('silence has no turns and no embeddings', async (t) => {
  const pool = createFakePool(voices);
  t.deepEqual(await findTurns(pool, inputOf(new Int16Array(20 * sampleRate))), []);
  t.is(pool.of('embedSpeakers').length, 0);
});

test('a failed job is a failure of the diarizer; other errors are unchanged', async (t) => {
  for (const kind of ['countSpeakers', 'embedSpeakers'] as const) {
    const failing = createFakePool({
      ...voices,
      [kind]: () => Promise.reject(new InferenceFailed('no model')),
    });
    await t.throwsAsync(findTurns(failing, inputOf(dialogue)), {
      code: 'diarization_upstream_failed',
    });
    const ended = createFakePool({ ...voices, [kind]: () => Promise.reject(new Error('aborted')) });
    await t.throwsAsync(findTurns(ended, inputOf(dialogue)), { message: 'aborted' });
  }
});
