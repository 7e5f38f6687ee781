// Synthetic speech over HTTP: paid plans only, the strict result, its windows, its limits; free.
import test from 'ava';
import { syntheticResultSchema } from '../../api/results/schemas.ts';
import { joinSamples } from '../../models/audio/samples.ts';
import { anAccount } from '../support/database.ts';
import { encode, noise, silence, speech, speechIn, toWav } from '../support/speech.ts';
import { postFile, testStack } from '../support/stack.ts';
import { settledTraces } from '../support/traces.ts';

const path = '/v1/audio/synthetic-speech';

test('a synthetic voice is found, window by window, free of charge', async (t) => {
  const stack = await testStack(t);
  const spoken = await speech('The quarterly report will be sent to you by electronic mail today.');
  const clip = joinSamples([spoken, spoken, spoken]).slice(0, 7.5 * 16_000);
  for (const file of [
    toWav(clip),
    await encode(toWav(clip), 'mp3'),
    await encode(toWav(clip), 'ogg'),
  ]) {
    const { status, body } = await postFile(stack, path, { file });
    t.is(status, 200, JSON.stringify(body));
    const result = syntheticResultSchema.parse(body);
    t.is(result.prediction, 'synthetic');
    t.is(result.segments.length, 2);
    t.deepEqual(result.warnings, []);
  }
  const italian = await speechIn(
    'it',
    'La relazione trimestrale le sarà inviata domani per posta.',
  );
  const other = await postFile(stack, path, { file: toWav(italian) });
  t.deepEqual(syntheticResultSchema.parse(other.body).warnings, ['other_language_detected']);
  const [first, second] = await Promise.all([
    postFile(stack, path, { file: toWav(clip), requestId: 'twice', fields: { model: 'svczero' } }),
    postFile(stack, path, { file: toWav(clip), requestId: 'twice' }),
  ]);
  t.deepEqual([first.status, second.status], [200, 200], JSON.stringify([first.body, second.body]));
  t.is(first.body.synthetic_score, second.body.synthetic_score);
  const minute = await postFile(stack, path, { file: toWav(noise(60)) });
  const unspoken = syntheticResultSchema.parse(minute.body);
  t.is(unspoken.segments.length, 10);
  const { prediction, synthetic_score: score, warnings } = unspoken;
  t.deepEqual(
    [prediction, score < 0.1, warnings],
    ['human', true, ['long_audio_aggregation_is_experimental', 'no_speech_detected']],
  );
  const muted = toWav(joinSamples([spoken, silence(12)]).slice(0, 12 * 16_000));
  const partly = syntheticResultSchema.parse((await postFile(stack, path, { file: muted })).body);
  t.is(partly.prediction, 'synthetic');
  t.deepEqual(partly.warnings, ['segments_without_speech']);
  const left = await settledTraces(stack);
  t.deepEqual(left.debits, []);
  t.deepEqual(left.objectKeys, []);
});

test('an invalid field is 422 in the envelope, too large is 413, unpaid is 402', async (t) => {
  const stack = await testStack(t);
  const cases = [
    [{ file: toWav(noise(0.99)) }, 422, 'audio_too_short'],
    [{ file: toWav(noise(60.01)) }, 422, 'audio_too_long'],
    [{ file: toWav(noise(1)), fields: { model: 'svc-resonance' } }, 422, 'model_not_supported'],
    [{ file: toWav(noise(1)), fields: { more: '1' } }, 422, 'unknown_field'],
    [{ file: Buffer.from('nothing that sounds like anything') }, 422, 'unsupported_audio'],
    [{ file: await encode(toWav(noise(2)), 'm4a') }, 422, 'unsupported_audio'],
    [{ file: toWav(silence(394)) }, 413, 'file_too_large'],
  ] as const;
  for (const [options, status, code] of cases) {
    const answer = await postFile(stack, path, options);
    t.is(`${answer.status} ${answer.body.error.code}`, `${status} ${code}`);
    t.is(answer.body.error.type, 'invalid_request_error');
  }
  t.is((await postFile(stack, path, { file: toWav(noise(1)) })).status, 200);
  const trial = await anAccount(stack.db, { plan: 'trial' });
  const rejected = await postFile(stack, path, { file: toWav(noise(1)), key: trial.key });
  t.is(`${rejected.status} ${rejected.body.error.code}`, '402 paid_plan_required');
  const entitlement = async (key: string) =>
    fetch(`${stack.base}/v1/models/svczero/access`, {
      headers: { Authorization: `Bearer ${key}` },
    });
  t.is((await entitlement(trial.key)).status, 402);
  const { organizationId, keyId, key } = stack.account;
  t.deepEqual(await (await entitlement(key)).json(), {
    object: 'model.access',
    model: 'svczero',
    customer: { key_id: keyId, organization_id: organizationId, plan: 'subscription' },
    entitlement: 'included_with_paid_plan',
    billed: false,
    consumes_credits: false,
    consumes_plan_minutes: false,
  });
});
