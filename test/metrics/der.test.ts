// Diarization errors on turns whose errors are known.
import test from 'ava';
import { diarizationErrorRate, diarizationErrors, type Turn } from './der.ts';

const turn = (speaker: string, start: number, end: number): Turn => ({ speaker, start, end });
const options = { durationSeconds: 10, collarSeconds: 0 };

test('relabelled speakers are no error', (t) => {
  const reference = [turn('a', 0, 4), turn('b', 4, 8)];
  const errors = diarizationErrors(reference, [turn('x', 0, 4), turn('y', 4, 8)], options);
  t.is(diarizationErrorRate([errors]), 0);
  t.is(errors.jaccard, 0);
});

test('missed, false-alarm and confused speech are counted separately', (t) => {
  const reference = [turn('a', 0, 4), turn('b', 4, 8)];
  const hypothesis = [turn('x', 0, 3), turn('y', 4, 7), turn('x', 7, 9)];
  const { missed, falseAlarm, confused, speech } = diarizationErrors(
    reference,
    hypothesis,
    options,
  );
  t.deepEqual([missed, falseAlarm, confused, speech], [100, 100, 100, 800]);
});

test('overlap counts once per speaker, and the collar leaves boundaries out', (t) => {
  const reference = [turn('a', 0, 4), turn('b', 2, 4)];
  const single = diarizationErrors(reference, [turn('x', 0, 4)], options);
  t.is(single.missed, 200);
  t.is(single.speech, 600);
  const late = [turn('x', 0.2, 4)];
  const collar = { durationSeconds: 10, collarSeconds: 0.25 };
  t.is(diarizationErrors([turn('a', 0, 4)], late, collar).missed, 0);
});
