// Without speech there is no score: every endpoint that scores answers other sounds with the floor.
import test from 'ava';
import {
  liteResultSchema,
  resonance2ResultSchema,
  spectra2ResultSchema,
  speechResultSchema,
} from '../../api/results/schemas.ts';
import { decideAccess } from '../../db/model-access.ts';
import { joinSamples } from '../../models/audio/samples.ts';
import { music, noise, silence, speech, tone, toWav } from '../support/speech.ts';
import { framesOf, openSocket } from '../support/sockets.ts';
import { postFile, testStack } from '../support/stack.ts';

const sounds = {
  silence: silence(2),
  tone: tone(440, 2),
  noise: noise(2),
  music: music(4),
} as const;
const floor = (scores: Readonly<Record<string, number>>): boolean =>
  Object.values(scores).every((score) => score < 0.1);

test('on every endpoint of the common shape', async (t) => {
  const stack = await testStack(t);
  const fields = { include_logits: 'true', diarize: 'true' };
  for (const [name, sound] of Object.entries(sounds)) {
    for (const task of ['emotions', 'styles', 'affect', 'analysis']) {
      const answer = await postFile(stack, `/v1/audio/${task}`, { file: toWav(sound), fields });
      t.is(answer.status, 200, `${name} ${task}: ${JSON.stringify(answer.body)}`);
      const result = speechResultSchema.parse(answer.body);
      t.is(result.segments.length, 1, `${name} ${task}`);
      const [segment] = result.segments;
      t.deepEqual([segment!.start, segment!.end], [0, sound.length / 16_000]);
      t.true(floor(segment!.scores!), `${name} ${task}`);
      const labels = [result, segment!].flatMap(({ emotions, styles }) => [...emotions, ...styles]);
      t.deepEqual(labels, [], `${name} ${task}`);
      t.deepEqual([result.diarized, result.speakers], [false, []]);
    }
  }
});

test('of Resonance-2, Spectra-2 and the lite model; windows of noise do not dilute', async (t) => {
  const stack = await testStack(t);
  const { organizationId } = stack.account;
  const access = { organizationId, model: 'svc-resonance-2', status: 'approved', actor: 'test' };
  await decideAccess(stack.db, access as Parameters<typeof decideAccess>[1]);
  const file = toWav(sounds.noise);

  const resonance = await postFile(stack, '/v1/audio/resonance-2', { file });
  const { scores, labels, abstained } = resonance2ResultSchema.parse(resonance.body);
  t.true(floor(scores));
  t.deepEqual([labels, abstained], [[], false]);
  const said = await speech('I am so happy to hear that!');
  const alone = await postFile(stack, '/v1/audio/resonance-2', { file: toWav(said) });
  const padded = toWav(joinSamples([said, silence(20 - said.length / 16_000), noise(15)]));
  const followed = await postFile(stack, '/v1/audio/resonance-2', { file: padded });
  t.is(followed.body.window_count, 2);
  t.false(floor(alone.body.scores));
  t.deepEqual(followed.body.scores, alone.body.scores);
  t.deepEqual(followed.body.labels, alone.body.labels);

  const lite = await postFile(stack, '/v1/audio/transcriptions', {
    file,
    fields: { model: 'svc-svceet', emotion_detection: '1' },
  });
  const { emotions, emotion_detection: detection } = liteResultSchema.parse(lite.body);
  t.deepEqual(emotions, []);
  t.true(floor(detection!.scores));
  for (const task of ['transcriptions', 'analysis']) {
    const fields = { model: 'svc-spectra-2' };
    const spectra = await postFile(stack, `/v1/audio/${task}`, { file, fields });
    const result = spectra2ResultSchema.parse(spectra.body);
    t.is(result.text, '');
    t.true([...result.emotions, ...result.styles].every(({ score }) => score < 0.1));
  }
});

test('of a stream', async (t) => {
  const stack = await testStack(t, { worker: false, streams: true });
  const stream = openSocket(stack.base, '/v1/audio/spectra-2/stream', {
    protocols: ['svc.spectra2.v1'],
    key: stack.account.key,
  });
  await new Promise((resolve) => stream.socket.once('open', resolve));
  stream.send({ type: 'start', model: 'svc-spectra-2', task: 'analysis' });
  await stream.message('ready');
  for (const frame of framesOf(sounds.music)) stream.send(frame);
  stream.send({ type: 'finish' });
  const { messages } = await stream.ended;
  const result = spectra2ResultSchema.parse(messages.at(-1));
  t.is(result.text, '');
  t.true([...result.emotions, ...result.styles].every(({ score }) => score < 0.1));
});
