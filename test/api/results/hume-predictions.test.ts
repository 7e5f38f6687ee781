// Passages of a result as Hume's clients ask for them: words, sentences, utterances, turns.
import test from 'ava';
import { humeCsv, toHumePrediction } from '../../../api/results/hume-predictions.ts';
import { humePredictionSchema, type HumeGranularity } from '../../../api/results/hume-schemas.ts';
import type { SpeechResult } from '../../../api/results/schemas.ts';

/** A segment of words of half a second each. */
function segment(speaker: string | null, start: number, text: string) {
  const words = text.split(' ').map((word, i) => {
    return { word, start: start + i / 2, end: start + (i + 1) / 2, confidence: 0.5 };
  });
  const labels = { emotions: [{ label: 'happy', score: 0.7 }], styles: [] };
  return {
    id: 0,
    start,
    end: words.at(-1)!.end,
    text,
    tagged_text: text,
    words,
    speaker,
    ...labels,
  };
}

const speech = {
  language: 'en',
  segments: [
    segment('speaker_0', 0, 'Hello Dr. Lee. How are'),
    segment('speaker_0', 3, 'you today? Fine'),
    segment('speaker_1', 5, 'thanks, =1+1 "quoted"'),
  ],
} as unknown as SpeechResult;

function predicted(granularity: HumeGranularity, identifySpeakers = false) {
  const source = { type: 'url', url: 'https://example.com/call.wav' } as const;
  const prediction = toHumePrediction(speech, { granularity, identifySpeakers, source });
  humePredictionSchema.parse(prediction);
  const { prosody } = prediction.results!.predictions[0]!.models;
  const passages = prosody.grouped_predictions.map(({ id, predictions }) => [
    id,
    ...predictions.map(({ text, time }) => `${time.begin}-${time.end} ${text}`),
  ]);
  return { prediction, prosody, passages };
}

test('sentences go on over segments, and end with the turn of their speaker', (t) => {
  t.deepEqual(predicted('sentence').passages, [
    [
      'unknown',
      '0-1 Hello Dr.',
      '1-1.5 Lee.',
      '1.5-4 How are you today?',
      '4-4.5 Fine',
      '5-6.5 thanks, =1+1 "quoted"',
    ],
  ]);
});

test('turns join the segments of a speaker; utterances are segments, words are words', (t) => {
  t.deepEqual(predicted('conversational_turn', true).passages, [
    ['speaker_0', '0-4.5 Hello Dr. Lee. How are you today? Fine'],
    ['speaker_1', '5-6.5 thanks, =1+1 "quoted"'],
  ]);
  t.is(predicted('utterance').passages[0]!.length, 4);
  t.is(predicted('word').passages[0]!.length, 12);
});

test('no score of Hume’s is invented, and a table holds no formula', (t) => {
  const { prediction, prosody } = predicted('word');
  t.deepEqual(prosody.metadata, { confidence: 0.5, detected_language: 'en' });
  t.true(
    prosody.grouped_predictions.every(({ predictions }) =>
      predictions.every(({ emotions }) => emotions.length === 0),
    ),
  );
  t.is(prediction.oruk.unmapped.length, 48);
  t.deepEqual(prediction.oruk.native.segments[0]!.emotions, [{ label: 'happy', score: 0.7 }]);
  const rows = humeCsv(prediction).split('\r\n');
  t.is(rows[0], 'Id,Text,BeginTime,EndTime');
  t.true(rows.includes("unknown,'=1+1,5.5,6"), rows.join('\n'));
  t.true(rows.includes('unknown,"""quoted""",6,6.5'));
});

test('a recording without words has no passage and no confidence', (t) => {
  const source = { type: 'url', url: 'https://example.com/' } as const;
  const silent = { language: 'en', segments: [] } as unknown as SpeechResult;
  const answer = { granularity: 'sentence', identifySpeakers: false, source } as const;
  const { results } = toHumePrediction(silent, answer);
  t.deepEqual(results!.predictions[0]!.models.prosody, { metadata: null, grouped_predictions: [] });
});
