// The mathematics of proficiency: bounds, sums and order, whatever the words.
import test from 'ava';
import fc from 'fast-check';
import { modelRow, proficiencyModel } from '../../../models/contract/served-models.ts';
import { proficiencyFiles } from '../../../models/bundles/catalog.ts';
import { checkRecording } from '../../../models/proficiency/check.ts';
import { measureFluency } from '../../../models/proficiency/measures.ts';
import type { PronouncedWord } from '../../../models/proficiency/pronounced-word.ts';
import {
  components,
  gradeCefr,
  gradeFluency,
  meanScore,
  recordingScore,
  wordScore,
} from '../../../models/proficiency/scores.ts';

const { calibration } = proficiencyFiles(modelRow(proficiencyModel));

/** Words in order with gaps between them. */
const anyWords: fc.Arbitrary<readonly PronouncedWord[]> = fc
  .array(
    fc.record({
      word: fc.constantFrom('the', 'house', 'um', 'is', '-', 'green'),
      gap: fc.double({ min: 0, max: 2, noNaN: true }),
      length: fc.double({ min: 0.02, max: 1, noNaN: true }),
      gop: fc.double({ min: -12, max: 0, noNaN: true }),
    }),
    { maxLength: 60 },
  )
  .map((parts) => {
    let at = 0;
    return parts.map(({ word, gap, length, gop }) => {
      const start = at + gap;
      at = start + length;
      const phones = word === '-' ? 0 : word.length;
      const vowelSeconds = phones === 0 ? [] : [length / 2];
      return { word, start, end: at, phones, gop, vowelSeconds };
    });
  });

const unit = (value: number): boolean => value >= 0 && value <= 1;
const sumsToOne = (shares: object): boolean => {
  const sum = Object.values(shares).reduce((total: number, share: number) => total + share, 0);
  return Math.abs(sum - 1) < 1e-9;
};

test('scores stay within their scales and probabilities sum to one', (t) => {
  fc.assert(
    fc.property(anyWords, fc.boolean(), (words, doubtful) => {
      const measures = measureFluency(words);
      const scored = words.map((word) => ({ ...word, score: wordScore(word, calibration) }));
      const accuracy = meanScore(scored);
      const said = words.some(({ phones }) => phones > 0);
      if (!said) return accuracy === null;
      const parts = components(accuracy!, measures, calibration);
      const score = recordingScore(parts);
      const cefr = gradeCefr(score, doubtful);
      const fluency = gradeFluency(parts.fluency, doubtful);
      return (
        Object.values(measures).every((value) => Number.isFinite(value) && value >= 0) &&
        Object.values(parts).every(unit) &&
        unit(score) &&
        cefr.score >= 0 &&
        cefr.score <= 5 &&
        fluency.score >= 0 &&
        fluency.score <= 10 &&
        sumsToOne(cefr.probabilities) &&
        sumsToOne(fluency.probabilities) &&
        cefr.probabilities[cefr.band] === Math.max(...Object.values(cefr.probabilities)) &&
        (!doubtful || cefr.probabilities[cefr.band] < 0.35)
      );
    }),
  );
  t.pass();
});

test('a better pronunciation never scores lower', (t) => {
  const gop = fc.double({ min: -20, max: 0, noNaN: true });
  fc.assert(
    fc.property(gop, gop, (a, b) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)];
      const score = (value: number) => wordScore({ phones: 3, gop: value }, calibration)!;
      return score(low) <= score(high);
    }),
  );
  t.is(wordScore({ phones: 0, gop: 0 }, calibration), null);
});

test('measures of a known recording', (t) => {
  const word = (text: string, start: number, end: number, vowels: number[]): PronouncedWord => ({
    word: text,
    start,
    end,
    phones: 3,
    gop: 0,
    vowelSeconds: vowels,
  });
  const words = [
    word('one', 1, 1.5, [0.1]),
    word('um', 1.5, 2, [0.2]),
    word('two', 3, 3.5, [0.1]),
    word('one', 3.6, 4, [0.3]),
  ];
  t.is(measureFluency([]).phonation_ratio, 0);
  const measures = measureFluency(words);
  t.is(measures.speech_rate_wpm, 60);
  t.is(measures.articulation_rate_sps, 2);
  t.is(measures.articulation_rate_pps, 6);
  t.is(measures.silent_pauses_per_minute, 20);
  t.is(measures.mean_silent_pause_s, 1);
  t.is(measures.filled_pauses_per_minute, 20);
  t.is(measures.mean_length_of_run_words, 2);
  t.true(Math.abs(measures.phonation_ratio - 2 / 3) < 1e-12);
  t.true(Math.abs(measures.lexical_diversity - 2 / 3) < 1e-12);
  // |0.1 - 0.2| / 0.15 and |0.1 - 0.3| / 0.2; the pause separates the middle pair.
  t.true(Math.abs(measures.vowel_npvi - (100 * (0.1 / 0.15 + 0.2 / 0.2)) / 2) < 1e-9);
});

test('each doubtful case has its status, and only too little audio is free', (t) => {
  const good = {
    speechSeconds: 20,
    wordCount: 40,
    meanConfidence: 0.8,
    distinctPairs: 0.9,
    transcriptFits: null,
    isBeyondAccent: false,
    language: 'en',
    mainSpeakerSeconds: 20,
    otherSpeakersSeconds: 0,
  };
  const status = (change: object) => checkRecording({ ...good, ...change });
  t.deepEqual(status({}), { status: 'scored', billable: true, reason: null });
  t.deepEqual(
    [status({ speechSeconds: 2.9 }).status, status({ speechSeconds: 2.9 }).billable],
    ['insufficient_audio', false],
  );
  t.is(status({ wordCount: 4 }).status, 'insufficient_audio');
  // A given text, of two words or two hundred, over speech is scored, and so billed.
  t.like(status({ wordCount: null }), { status: 'scored', billable: true });
  t.like(status({ wordCount: null, transcriptFits: false }), {
    status: 'low_confidence',
    billable: true,
  });
  t.like(status({ wordCount: null, speechSeconds: 2.9 }), {
    ...{ status: 'insufficient_audio', billable: false },
    reason: 'insufficient_speech: 2.9 s of speech; 3 s are needed',
  });
  t.is(
    status({ speechSeconds: 2.97 }).reason,
    'insufficient_speech: 2.9 s of speech, 40 words; 3 s and 5 words are needed',
    'what is received is never said to be what is needed',
  );
  t.regex(status({ transcriptFits: false }).reason!, /^transcript_mismatch/);
  t.is(status({ transcriptFits: true, meanConfidence: null }).status, 'scored');
  t.regex(status({ meanConfidence: 0.3 }).reason!, /^not_understood/);
  t.is(status({ meanConfidence: 0.5 }).status, 'scored');
  t.regex(status({ meanConfidence: 0.5, distinctPairs: 0.3 }).reason!, /^not_understood/);
  t.is(status({ distinctPairs: 0.5 }).status, 'scored', 'who repeats a phrase clearly');
  t.regex(status({ language: 'it', meanConfidence: 0.5 }).reason!, /^other_language/);
  t.is(status({ language: 'it' }).status, 'scored');
  const unlike = status({ isBeyondAccent: true, meanConfidence: 0.59 });
  t.is(unlike.reason, 'other_language: the speech does not sound like English');
  t.is(status({ isBeyondAccent: true, meanConfidence: 0.6 }).status, 'scored');
  t.regex(status({ otherSpeakersSeconds: 8 }).reason!, /^several_speakers/);
  t.is(status({ otherSpeakersSeconds: 4 }).status, 'scored');
  t.is(status({ otherSpeakersSeconds: 6.5 }).status, 'scored', 'a quarter of all speech');
  t.regex(status({ otherSpeakersSeconds: 7 }).reason!, /^several_speakers/);
});

test('what is said while thinking is no word, but a long word like it is', (t) => {
  const said = ['mhm', 'mm', 'um', 'm', 'mh', 'mhmh', `${'m'.repeat(100_000)}x`];
  const spoken = { phones: 3, gop: 0, vowelSeconds: [0.1] };
  const words = said.map((word, i) => ({ ...spoken, word, start: i, end: i + 1 }));
  t.is(measureFluency(words).filled_pauses_per_minute, (3 * 60) / said.length);
});
