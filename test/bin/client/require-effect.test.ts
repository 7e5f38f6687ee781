// Options of one recording that its task would ignore.
import test from 'ava';
import { requireEffect } from '../../../bin/client/require-effect.ts';
import type { SpeechTask } from '../../../clients/typescript/src/audio.ts';
import type { FormFields } from '../../../clients/typescript/src/recording.ts';

const words = {
  ...{ format_numbers: 'true', redact: 'card', redact_names: 'Ann', vocabulary: 'Ann' },
  language: 'de',
};
const speakers = { diarize: 'true', num_speakers: 2 };
const logits = { include_logits: 'true' };

const refusal = (task: SpeechTask, fields: FormFields): string | null => {
  try {
    requireEffect(task, fields);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

test('what a task has no use for is refused by name', (t) => {
  const useless = {
    transcription: logits,
    ...{ emotion: words, style: words, affect: words, analysis: {} },
    proficiency: { ...words, ...speakers, ...logits },
  };
  const every = { ...words, ...speakers, ...logits };
  for (const [task, without] of Object.entries(useless) as [SpeechTask, object][]) {
    for (const [name, value] of Object.entries(every)) {
      const fields = { ...(name === 'num_speakers' && { diarize: 'true' }), [name]: value };
      const named = name === 'num_speakers' && task === 'proficiency' ? 'diarize' : name;
      const told = name in without ? `\`${named}\` has no effect with \`task\` ${task}` : null;
      t.is(refusal(task, fields), told, `${task} ${name}`);
    }
  }
});

test('a number of speakers is used where they are separated', (t) => {
  t.is(refusal('analysis', { num_speakers: 2 }), '`num_speakers` requires `diarize`');
  t.is(refusal('analysis', { num_speakers: 2, diarize: 'true' }), null);
});

test('what is left to the service is no choice', (t) => {
  t.is(refusal('emotion', { language: 'auto', redact: undefined, model: 'svc-fourier' }), null);
  t.is(refusal('proficiency', { model: 'svc-proficiency-1' }), null);
});
