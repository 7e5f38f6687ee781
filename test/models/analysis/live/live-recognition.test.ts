// Interim recognition beside the analysis of a stream: what it costs, when it yields, what it says.
import test from 'ava';
import { createIncrementalAnalysis } from '../../../../models/analysis/incremental-analysis.ts';
import type { LiveUpdate } from '../../../../models/analysis/live/live-recognition.ts';
import type { RecordingRequest } from '../../../../models/contract/recording-request.ts';
import { createFakePool, spoken, type SpokenWord } from '../../../support/fake-pool.ts';
import { settled, type ScriptedAnswers } from '../../../support/scripted-pool.ts';
import { until } from '../../../support/until.ts';

const request: RecordingRequest = {
  task: 'transcription',
  model: 'svc-svceet',
  options: { diarize: false, numSpeakers: null, includeLogits: false },
};
const half = 16_000;

/** Ten words of 0.4 s, one every half second, then two seconds of silence, then a last word. */
const words = Array.from({ length: 11 }, (_, i) => {
  const startSeconds = 0.25 + i / 2 + (i === 10 ? 2 : 0);
  return { value: i + 1, startSeconds, endSeconds: startSeconds + 0.4 };
});
const recording = spoken(9, words);

interface Play {
  readonly pcm?: Int16Array;
  readonly options?: RecordingRequest['options'];
  readonly answers?: ScriptedAnswers;
  readonly isLive?: boolean;
  /** Whether to wait for an update after each of the frames. */
  readonly until?: (updates: readonly LiveUpdate[], heardSeconds: number) => boolean;
}

async function play({
  pcm = recording,
  options = request.options,
  answers = {},
  isLive = true,
  until: goal = () => true,
}: Play = {}) {
  const updates: LiveUpdate[] = [];
  const turns = { open: 0, most: 0 };
  const pool = createFakePool(answers);
  const analysis = createIncrementalAnalysis({
    ...{ pool, organizationId: 'org_a', request: { ...request, options }, affect: null },
    live: isLive
      ? {
          acquireTurn: async () => {
            turns.open += 1;
            turns.most = Math.max(turns.most, turns.open);
            return () => void (turns.open -= 1);
          },
          onUpdate: (update) => void updates.push(update),
        }
      : null,
  });
  const bytes = new Uint8Array(pcm.buffer);
  for (let at = 0; at < bytes.length; at += half) {
    analysis.record(bytes.subarray(at, at + half));
    await until(() => goal(updates, (at + half) / 32_000));
  }
  return { pool, analysis, updates, turns };
}

const textOf = (all: LiveUpdate['stable']): string => all.map(({ word }) => word).join(' ');
const stableText = (updates: readonly LiveUpdate[]): string =>
  textOf(updates.flatMap(({ stable }) => stable));
const everything = words.map(({ value }) => `w${value}`).join(' ');

/** Every word whose end has arrived a quarter of a second ago is in the last update. */
function keepsUp(
  updates: readonly LiveUpdate[],
  heardSeconds: number,
  said: readonly SpokenWord[] = words,
): boolean {
  const heard = said.filter(({ endSeconds }) => endSeconds <= heardSeconds - 0.25);
  const shown = `${stableText(updates)} ${textOf(updates.at(-1)?.tail ?? [])}`.trim().split(' ');
  return heard.every(({ value }) => shown.includes(`w${value}`));
}

test('words appear while they are spoken, become stable, and begin the result', async (t) => {
  const { analysis, updates, turns } = await play({ until: keepsUp });
  const { text } = await analysis.finish();
  t.is(text, everything);
  t.true(text!.startsWith(textOf(analysis.stableWords())));
  t.true(stableText(updates).startsWith('w1 w2 w3 w4 w5 w6 w7 w8 w9 w10'));
  t.is(turns.most, 1, 'one attempt at a time');
  const [first] = analysis.stableWords();
  t.deepEqual([first?.start, first?.end], [0.25, 0.65]);
});

test('the length in which words are recognised never goes back, and holds them all', async (t) => {
  const long = Array.from({ length: 28 }, (_, i) => {
    const startSeconds = 0.25 + i / 2;
    return { value: i + 1, startSeconds, endSeconds: startSeconds + 0.4 };
  });
  // Longer than a chunk, whose end is known a while after it.
  const { updates } = await play({
    pcm: spoken(15, long),
    until: (all, heardSeconds) => keepsUp(all, heardSeconds, long),
  });
  for (const [i, { audioSeconds, stable, tail }] of updates.entries()) {
    t.true(audioSeconds >= (updates[i - 1]?.audioSeconds ?? 0));
    for (const { end } of [...stable, ...tail]) t.true(end <= audioSeconds + 0.1);
  }
});

test('interim jobs rank below all others and leave the result as it is', async (t) => {
  const plain = await play({ isLive: false });
  const result = await plain.analysis.finish();
  const { pool, analysis } = await play({ until: keepsUp });
  t.deepEqual(await analysis.finish(), result);
  const ranks = pool.of('analyze').map(({ options }) => options.priority);
  t.true(ranks.includes(3));
});

test('while the pool has other work nothing is recognised for interim text', async (t) => {
  const { pool, analysis, updates } = await play({ answers: { idle: () => false } });
  t.deepEqual(updates, []);
  t.true(pool.jobs.every(({ options }) => options.priority === 1));
  t.is((await analysis.finish()).text, everything);
});

test('interim text that fails is tried again and does not fail the stream', async (t) => {
  const works = createFakePool();
  let [failures, seen] = [0, 0];
  const { analysis, updates } = await play({
    answers: {
      analyze: (pcm, chunk, options) => {
        if (options.priority === 1 || failures > 2) return works.analyze(pcm, chunk, options);
        failures += 1;
        return Promise.reject(new Error('the process died'));
      },
    },
    // Each failure is seen before the next audio, which starts another attempt.
    until: (all, heardSeconds) => {
      const isNew = failures > seen;
      seen = failures;
      return heardSeconds < 1 || all.length > 0 || isNew;
    },
  });
  t.is(failures, 3);
  t.true(updates.length > 0);
  t.is((await analysis.finish()).text, everything);
});

test('with redaction nothing is reported before the result', async (t) => {
  const redact = { kinds: ['phone'], names: [] } as const;
  const { pool, updates } = await play({ options: { ...request.options, redact } });
  t.deepEqual(updates, []);
  t.true(pool.jobs.every(({ options }) => options.priority === 1));
});

test('after the end nothing is reported and no job starts', async (t) => {
  const { pool, analysis, updates } = await play({ until: keepsUp });
  await analysis.finish();
  const counts = (): readonly number[] => [pool.jobs.length, updates.length];
  const before = counts();
  analysis.record(new Uint8Array(32_000));
  await settled();
  t.deepEqual(counts(), before);
});
