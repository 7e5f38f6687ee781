// Answers of each form on a terminal; those with segments are in low-confidence.test.ts.
import test from 'ava';
import { resultLines } from '../../../bin/client/result-view.ts';

const speed = '2.0 s of audio in 1.00 s (real-time factor 0.500)';
const scores = [
  { label: 'happy', score: 0.1 },
  { label: 'neutral', score: 0.625 },
];

test('a short clip is shown as its text and all scores, largest first', (t) => {
  const clip = { object: 'speech.result', model: 'svc-spectra-2', text: 'Hello.', duration: 2 };
  const lines = resultLines({ ...clip, emotions: scores, styles: scores.slice(0, 1) }, 1);
  const said = ['Hello.', 'emotions: neutral 0.63, happy 0.10', 'styles: happy 0.10', speed];
  t.deepEqual(lines, said);
});

test('a clip of several speakers is shown as their turns', (t) => {
  const clip = { object: 'audio.transcription', text: 'Hello. Hi.', duration: 2 };
  t.deepEqual(resultLines(clip, 1), ['Hello. Hi.', speed]);
  const segments = ['Hello.', 'Hi.'].map((text, i) => {
    return { id: i, start: i, end: i + 1, speaker: `speaker_${i}`, text };
  });
  const turns = ['0:00.0  speaker_0  Hello.', '0:01.0  speaker_1  Hi.', speed];
  t.deepEqual(resultLines({ ...clip, emotions: [], styles: [], segments }, 1), turns);
});

const proficiency = {
  continuous_check: { status: 'scored', reason: null },
  score: 0.87,
  components: { accuracy: 0.889, fluency: 0.832, prosody: 0.923 },
  ...{ cefr: 'C1', cefr_score: 4.128, confidence: 0.235, fluency: 'high', fluency_score: 8.325 },
};
const graded = (check: object, changed: object = {}) => {
  const result = { object: 'speech.result', duration: 2, segments: [] };
  return resultLines({ ...result, check, proficiency: { ...proficiency, ...changed } }, 1);
};

test('a proficiency result has its grades, and what the checks say of them', (t) => {
  t.deepEqual(graded({ status: 'low_confidence', reason: 'several_speakers' }), [
    'check: low_confidence (several_speakers)',
    'cefr: C1(?), cefr_score 4.13, confidence 0.23',
    'fluency: high(?), fluency_score 8.32',
    'continuous_check: scored',
    'score: 0.87, accuracy 0.89, fluency 0.83, prosody 0.92',
    speed,
  ]);
  t.is(graded({ status: 'scored', reason: null })[1], 'cefr: C1, cefr_score 4.13, confidence 0.23');
});

test('grades that the checks do not allow are not shown', (t) => {
  const reason = 'no speech';
  const lines = graded(
    { status: 'insufficient_audio', reason },
    { continuous_check: { status: 'unavailable', reason }, score: null, components: null },
  );
  const checks = [
    'check: insufficient_audio (no speech)',
    'continuous_check: unavailable (no speech)',
  ];
  t.deepEqual(lines, [...checks, speed]);
});

test('an answer of no known form is shown as it is', (t) => {
  t.deepEqual(resultLines({ object: 'new' }, 1), ['{"object":"new"}']);
});
