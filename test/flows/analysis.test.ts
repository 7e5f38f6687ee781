// Emotion, style, affect, analysis and speakers over HTTP: each combination has exactly its fields.
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { speechResultSchema, type SpeechResult } from '../../api/results/schemas.ts';
import { joinSamples } from '../../models/audio/samples.ts';
import { emotionLabels, styleLabels } from '../../models/contract/labels.ts';
import { taskSteps, type RecordingTask } from '../../models/contract/tasks.ts';
import { testServers } from '../support/environment.ts';
import { beyondClip, silence, speech, toWav } from '../support/speech.ts';
import { postFile, testStack } from '../support/stack.ts';
import { settledTraces, traces } from '../support/traces.ts';

const endpoints: readonly (readonly [string, RecordingTask])[] = [
  ['/v1/audio/transcriptions', 'transcription'],
  ['/v1/audio/emotions', 'emotion'],
  ['/v1/audio/styles', 'style'],
  ['/v1/audio/affect', 'affect'],
  ['/v1/audio/analysis', 'analysis'],
];

/** Two speakers one after the other, with pauses. */
async function dialogue(turns: number): Promise<Int16Array> {
  const voices = ['slt', 'rms'];
  const texts = [
    'Good morning, this is the service desk, how may I help you today?',
    'Hello, my telephone has been out of order since last Monday evening.',
  ];
  const spoken = await Promise.all(texts.map((text, i) => speech(text, { voice: voices[i]! })));
  return joinSamples(
    Array.from({ length: turns }, (_, i) => [spoken[i % 2]!, silence(0.7)]).flat(),
  );
}

test.serial('each task, model and option has exactly its fields', async (t) => {
  const stack = await testStack(t);
  const file = toWav(await dialogue(4));
  for (const [path, task] of endpoints) {
    for (const model of ['svc-resonance', 'svc-fourier']) {
      for (const diarize of model === 'svc-resonance' ? [false, true] : [false]) {
        for (const logits of task === 'transcription' ? [false] : [false, true]) {
          const fields = {
            model,
            diarize: String(diarize),
            ...(diarize && { num_speakers: '2' }),
            ...(logits && { include_logits: 'true' }),
          };
          const { status, body } = await postFile(stack, path, { file, fields });
          const what = `${path} ${JSON.stringify(fields)}`;
          t.is(status, 200, `${what}: ${JSON.stringify(body)}`);
          checkFields(t, speechResultSchema.parse(body), { task, diarize, logits, what });
        }
      }
    }
  }
});

interface Expected {
  readonly task: RecordingTask;
  readonly diarize: boolean;
  readonly logits: boolean;
  readonly what: string;
}

function checkFields(
  t: { is: Function; true: Function; deepEqual: Function },
  result: SpeechResult,
  { task, diarize, logits, what }: Expected,
): void {
  const { words, emotions, styles } = taskSteps[task];
  t.is(result.task, task, what);
  t.is(result.text === null, !words, what);
  t.is(result.language, words ? 'en' : null, what);
  t.is(result.tagged_text !== null, task === 'analysis', what);
  t.is(result.emotions.length > 0, emotions, what);
  if (!styles) t.deepEqual(result.styles, [], what);
  t.is(result.diarized, diarize, what);
  t.deepEqual(result.speakers, diarize ? ['speaker_0', 'speaker_1'] : [], what);
  t.true(result.segments.length > 0, what);
  const labels = [...(emotions ? emotionLabels : []), ...(styles ? styleLabels : [])];
  for (const segment of result.segments) {
    t.is(segment.speaker !== null, diarize, what);
    t.is(segment.text === null, !words, what);
    t.is(segment.emotions.length > 0, emotions, what);
    t.true(
      segment.words.every((w) => w.start >= segment.start && w.end <= segment.end),
      what,
    );
    t.deepEqual(Object.keys(segment.scores ?? {}), logits ? labels : [], what);
    t.deepEqual(Object.keys(segment.raw_logits ?? {}), logits ? labels : [], what);
    t.is('scores' in segment, logits, what);
    for (const [label, score] of Object.entries(segment.scores ?? {})) {
      const logit = segment.raw_logits![label]!;
      t.true(Math.abs(score - 1 / (1 + Math.exp(-logit))) < 1e-6, what);
      const selected = [...segment.emotions, ...segment.styles].find((s) => s.label === label);
      if (selected) t.is(selected.score, score, what);
    }
  }
}

test.serial('a long call has its two speakers, and every word within a segment', async (t) => {
  const stack = await testStack(t);
  const { status, body } = await postFile(stack, '/v1/audio/analysis', {
    file: toWav(beyondClip(await dialogue(14))),
    fields: { diarize: 'true', include_logits: 'true' },
  });
  t.is(status, 200, JSON.stringify(body).slice(0, 300));
  const result = speechResultSchema.parse(body);
  t.deepEqual(result.speakers, ['speaker_0', 'speaker_1']);
  const spoken = result.segments.filter((segment) => segment.words.length > 0);
  t.true(spoken.length >= 12, `${spoken.length} turns with words`);
  for (const segment of spoken) {
    const expected = /service desk|morning|help/i.test(segment.text!) ? 'speaker_0' : 'speaker_1';
    t.is(segment.speaker, expected, segment.text!);
  }
  t.is((result.text ?? '').match(/service desk/gi)?.length, 7);
  const left = await settledTraces(stack);
  t.deepEqual(left.objectKeys, []);
  t.is(left.debits.length, 1);
});

test.serial('without a diarizer, diarize is 503 and the rest works', async (t) => {
  const modelsDirectory = await mkdtemp(join(tmpdir(), 'svc-models-'));
  t.teardown(() => rm(modelsDirectory, { recursive: true, force: true }));
  const absent = /campplus/;
  await cp(testServers().modelsDirectory, modelsDirectory, {
    recursive: true,
    dereference: true,
    filter: (path) => !absent.test(path),
  });
  const stack = await testStack(t, { modelsDirectory });
  const file = toWav(await speech('Who is speaking?'));
  const path = '/v1/audio/transcriptions';
  const rejected = await postFile(stack, path, {
    file,
    fields: { diarize: 'true' },
    requestId: 'again',
  });
  t.is(rejected.status, 503);
  t.is(rejected.body.error.code, 'diarization_upstream_failed');
  t.is((await postFile(stack, path, { file })).status, 200);
  t.is((await traces(stack)).debits.length, 1);
});
