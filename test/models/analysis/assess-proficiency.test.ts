// A grade's evidence from a pool that hears what a test wrote into the samples: words, language,
// voices, and how each word is pronounced.
import test from 'ava';
import { samplesInMemory } from '../../../models/audio/samples.ts';
import { sampleRate } from '../../../models/audio/sample-rate.ts';
import {
  assessProficiency,
  withTranscriptWords,
  type AssessInput,
} from '../../../models/analysis/assess-proficiency.ts';
import type { AnalyzedChunk } from '../../../models/analysis/analyzed-chunk.ts';
import type { RecordingPlan } from '../../../models/analysis/plan/plan.ts';
import { InferenceFailed } from '../../../models/inference/errors.ts';
import type { ChunkAnalysis, InferencePool } from '../../../models/inference/jobs.ts';
import { createFakePool, spoken } from '../../support/fake-pool.ts';
import type { ScriptedAnswers } from '../../support/scripted-pool.ts';
import { embedVoices, detectVoices } from '../../support/fake-voices.ts';

const wordSeconds = 0.5;
const first = ['the', 'birch', 'canoe', 'slid', 'on'];
const second = ['the', 'smooth', 'planks', 'glue', 'the', 'sheet'];

function chunkOf(index: number, startSeconds: number, words: readonly string[]): AnalyzedChunk {
  const timed = words.map((word, i) => ({
    word,
    start: startSeconds + i * wordSeconds,
    end: startSeconds + (i + 1) * wordSeconds,
    confidence: 0.9,
  }));
  const none = { written: null, scored: [], inferenceMs: 1 };
  return { index, words: timed, ...none };
}

/** Ten seconds in chunks of four and six, all of it speech of the first voice. */
function reading(changes: Partial<AssessInput> = {}): AssessInput {
  const pcm = spoken(10, [{ value: 1, startSeconds: 0, endSeconds: 10 }]);
  const plan: RecordingPlan = {
    chunks: [
      { index: 0, startSample: 0, endSample: 4 * sampleRate, spans: [] },
      { index: 1, startSample: 4 * sampleRate, endSample: 10 * sampleRate, spans: [] },
    ],
    segments: null,
    speakers: null,
    speechSeconds: 9.5,
  };
  return {
    plan,
    chunks: [chunkOf(0, 0, first), chunkOf(1, 4, second)],
    samples: pcm.length,
    transcript: null,
    read: samplesInMemory(pcm),
    job: { organizationId: 'o', priority: 1 },
    ...changes,
  };
}

/** What is said in each chunk, by its length in seconds. */
const said = new Map([
  [4, first],
  [6, second],
]);

/**
 * Each word half a second long, in order; a dash is not spoken. A word that the chunk does not say
 * fits badly, and an open end comes after as many words as the chunk says.
 */
const pronounce: InferencePool['pronounce'] = async (pcm, { words, toTheLast }) => {
  const own = said.get(pcm.length / sampleRate) ?? [];
  return words.slice(0, toTheLast ? words.length : own.length).map((word, i) => ({
    ...{ word, start: i * wordSeconds, end: (i + 1) * wordSeconds },
    ...{ phones: word === '-' ? 0 : 3, vowelSeconds: [0.1] },
    ...(own.includes(word.toLowerCase().replace(/\W/g, '')) || word === '-'
      ? { gop: -1, heardSeconds: wordSeconds }
      : { gop: -5, heardSeconds: 0 }),
  }));
};

function aPool(changes: ScriptedAnswers = {}) {
  return createFakePool({
    pronounce,
    countSpeakers: detectVoices,
    embedSpeakers: embedVoices,
    ...changes,
  });
}

/** A pool that takes the speech for another language than English. */
function hearing(language: string, known: Partial<ChunkAnalysis> = {}) {
  const english = createFakePool();
  return aPool({
    analyze: async (...asked) => ({ ...(await english.analyze(...asked)), language, ...known }),
  });
}

/** The same words, of which the recogniser was less sure. */
function unsure(confidence: number): readonly AnalyzedChunk[] {
  return reading().chunks.map((chunk) => ({
    ...chunk,
    words: chunk.words.map((word) => ({ ...word, confidence })),
  }));
}

test('each chunk is aligned with its own words, on the clock of the recording', async (t) => {
  const pool = aPool();
  const found = await assessProficiency(pool, reading());
  t.deepEqual(
    pool.of('pronounce').map(({ pcm }) => pcm.length / sampleRate),
    [4, 6],
  );
  t.deepEqual(
    found.words.map(({ word }) => word),
    [...first, ...second],
  );
  t.deepEqual(
    found.words.filter(({ word }) => word === 'the').map(({ start }) => start),
    [0, 4, 6],
  );
  t.like(found, { windows: 2, transcriptGiven: false, speechSeconds: 9.5 });
  t.deepEqual(found.check, { status: 'scored', billable: true, reason: null });
});

test('a given transcript is aligned chunk by chunk, without recognising anything', async (t) => {
  const transcript = 'The birch canoe slid on the smooth planks. Glue the sheet!';
  const input = reading({ transcript, chunks: [chunkOf(0, 0, []), chunkOf(1, 4, [])] });
  const pool = aPool();
  const found = await assessProficiency(pool, input);
  t.deepEqual(
    found.words.map(({ word }) => word),
    transcript.split(' '),
  );
  t.true(found.transcriptGiven);
  t.is(found.check.status, 'scored');
  t.is(pool.of('analyze').length, 0);
  const replaced = withTranscriptWords(input.chunks, input.plan, found);
  t.deepEqual(
    replaced.map(({ words }) => words.map(({ word }) => word).join(' ')),
    ['The birch canoe slid on', 'the smooth planks. Glue the sheet!'],
  );
  t.deepEqual(
    [...new Set(replaced.flatMap(({ words }) => words.map((w) => w.confidence)))],
    [null],
  );
});

test('a transcript that does not match is low confidence, and is charged', async (t) => {
  const transcript = 'Nobody ever recorded any of these sentences here';
  const { check } = await assessProficiency(hearing('en'), reading({ transcript }));
  t.like(check, { status: 'low_confidence', billable: true });
  t.regex(check.reason!, /^transcript_mismatch/);
});

test('a transcript of half the recording does not match, and is known to be English', async (t) => {
  const pool = hearing('de');
  const half = reading({ transcript: 'The birch canoe slid on' });
  const { check, words } = await assessProficiency(pool, half);
  t.like(check, { status: 'low_confidence', billable: true });
  t.regex(check.reason!, /^transcript_mismatch/);
  t.is(pool.of('analyze').length, 0);
  t.false('heardSeconds' in words[0]!, 'it only serves the check');
});

test('a transcript whose end has no room in the recording does not match', async (t) => {
  const transcript = [...first, ...second, ...Array<string>(200).fill('on')].join(' ');
  const pool = aPool({
    pronounce: async (pcm, known, job) => {
      const words = await pronounce(pcm, known, job);
      if (!known.toTheLast) return words;
      // As `pronounceWords` does with words that have more phones than the chunk has frames.
      const without = { phones: 0, gop: 0, heardSeconds: 0, vowelSeconds: [], start: 0, end: 0 };
      return words.map(({ word }) => ({ word, ...without }));
    },
  });
  const pcm = spoken(14, [{ value: 1, startSeconds: 0, endSeconds: 14 }]);
  const last = { index: 2, startSample: 10 * sampleRate, endSample: pcm.length, spans: [] };
  const { plan } = reading();
  const longer = {
    plan: { ...plan, chunks: [...plan.chunks, last], speechSeconds: 7.5 },
    ...{ samples: pcm.length, read: samplesInMemory(pcm) },
  };
  const { check } = await assessProficiency(pool, reading({ ...longer, transcript }));
  t.like(check, { status: 'low_confidence', billable: true });
  t.regex(check.reason!, /^transcript_mismatch/);
  t.is(pool.of('analyze').length, 0, 'what is read is known to be English');
});

test('speech in another language is named before a transcript that does not match', async (t) => {
  const transcript = 'Niemand hat einen dieser deutschen Texte je gelesen';
  const { check } = await assessProficiency(hearing('de'), reading({ transcript }));
  t.like(check, { status: 'low_confidence', billable: true });
  t.regex(check.reason!, /^other_language: the speech sounds like de/);
});

test('speech that has words in another language alone is named', async (t) => {
  const silent = reading({ chunks: [chunkOf(0, 0, []), chunkOf(1, 4, ['the'])] });
  const { words } = chunkOf(0, 0, second);
  const checked = async (language: string, known: Partial<ChunkAnalysis>) =>
    (await assessProficiency(hearing(language, known), silent)).check.reason!.split(':')[0];
  t.is(await checked('de', { words }), 'other_language');
  t.is(await checked('de', { words: words.slice(0, 4) }), 'insufficient_speech');
  t.is(await checked('en', { words }), 'insufficient_speech');
});

test('too little speech is not charged, and no further check runs', async (t) => {
  const pool = aPool();
  const plan = { ...reading().plan, speechSeconds: 2.9 };
  const { check } = await assessProficiency(pool, reading({ plan }));
  t.like(check, { status: 'insufficient_audio', billable: false });
  t.deepEqual([pool.of('analyze').length, pool.of('countSpeakers').length], [0, 0]);
});

test('a token that is not spoken is not a word', async (t) => {
  const chunks = [chunkOf(0, 0, ['one', '-', '-', 'two']), chunkOf(1, 4, ['three', '-', 'four'])];
  const { check } = await assessProficiency(aPool(), reading({ chunks }));
  t.is(check.status, 'insufficient_audio');
});

test('the longest chunk gives the language when the words are not clearly English', async (t) => {
  const pool = hearing('fr');
  const { check } = await assessProficiency(pool, reading({ chunks: unsure(0.5) }));
  t.regex(check.reason!, /^other_language: the speech sounds like fr/);
  t.deepEqual(pool.analyzed, [6 * sampleRate]);
  const accented = await assessProficiency(hearing('fr'), reading());
  t.is(accented.check.status, 'scored');
});

test('words that were not understood are low confidence', async (t) => {
  const { check } = await assessProficiency(aPool(), reading({ chunks: unsure(0.3) }));
  t.regex(check.reason!, /^not_understood/);
});

test('a second speaker is low confidence', async (t) => {
  const samples = spoken(30, [
    { value: 1, startSeconds: 0, endSeconds: 14 },
    { value: 2, startSeconds: 16, endSeconds: 30 },
  ]);
  const changes = { samples: samples.length, read: samplesInMemory(samples) };
  const { check } = await assessProficiency(aPool(), reading(changes));
  t.regex(check.reason!, /^several_speakers/);
});

test('a grade does not need what a deployment lacks: languages or speakers', async (t) => {
  const lacks = () => Promise.reject(new InferenceFailed('no model'));
  const without = aPool({ analyze: lacks, countSpeakers: lacks });
  t.is((await assessProficiency(without, reading())).check.status, 'scored');
  const ended = () => Promise.reject(new Error('aborted'));
  for (const kind of ['analyze', 'countSpeakers', 'pronounce']) {
    const run = assessProficiency(aPool({ [kind]: ended }), reading());
    await t.throwsAsync(run, { message: 'aborted' });
  }
});
