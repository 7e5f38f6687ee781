// The lite model: its strict shape, its formats, its limits and its usage.
import test from 'ava';
import { sql } from 'kysely';
import { liteResultSchema } from '../../api/results/schemas.ts';
import { lockOrganization } from '../../db/balance.ts';
import { joinSamples } from '../../models/audio/samples.ts';
import { emotionLabels } from '../../models/contract/labels.ts';
import { untilAnyIsBlocked } from '../support/blocked.ts';
import { silence, speech, toWav } from '../support/speech.ts';
import { postFile, testStack } from '../support/stack.ts';
import { settledTraces } from '../support/traces.ts';

const path = '/v1/audio/transcriptions';
const model = 'svc-svceet';

test('json, verbose_json and text; emotion and speakers when requested', async (t) => {
  const stack = await testStack(t);
  const spoken = await speech('Please call me back tomorrow morning.');
  const file = toWav(joinSamples([spoken, silence(0.5)]));
  const plain = await postFile(stack, path, { file, fields: { model }, requestId: 'lite-1' });
  t.is(plain.status, 200, JSON.stringify(plain.body));
  const json = liteResultSchema.parse(plain.body);
  t.regex(json.text, /call me back/i);
  t.is(json.request_id, 'lite-1');
  t.is(json.usage.rate_per_minute_usd, '0.00045');
  t.deepEqual(json.usage.tasks, ['transcription']);
  t.is(json.usage.billing_basis, 'subscription');
  t.deepEqual(
    [json.segments, json.asr_ms, json.emotion_detection],
    [undefined, undefined, undefined],
  );

  const fields = {
    model,
    response_format: 'verbose_json',
    emotion_detection: '1',
    diarize: 'true',
  };
  const full = await postFile(stack, path, { file, fields: { ...fields, num_speakers: '1' } });
  const verbose = liteResultSchema.parse(full.body);
  t.deepEqual(Object.keys(verbose.emotion_detection!.scores), [...emotionLabels]);
  t.deepEqual(Object.keys(verbose.emotion_detection!.thresholds), [...emotionLabels]);
  t.deepEqual(verbose.speakers, ['speaker_0']);
  t.is(verbose.segments![0]!.speaker, 'speaker_0');
  t.true(verbose.asr_ms! > 0 && verbose.server_ms! >= verbose.asr_ms!);
  t.is(verbose.usage.rate_per_minute_usd, '0.01245');
  const { billable_seconds: seconds, cost_microusd: cost } = verbose.usage;
  t.is(cost, Math.round((12_450 * seconds) / 60));
  t.deepEqual(verbose.usage.tasks, ['transcription', 'emotion_detection', 'diarization']);

  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(file)]), 'call.wav');
  form.set('model', model);
  form.set('response_format', 'text');
  const text = await fetch(stack.base + path, {
    method: 'POST',
    body: form,
    headers: { Authorization: `Bearer ${stack.account.key}` },
  });
  t.regex(text.headers.get('content-type')!, /^text\/plain/);
  t.is(await text.text(), json.text);
});

test('server_ms is without what the reservation of the minutes waits for', async (t) => {
  const stack = await testStack(t);
  const { organizationId } = stack.account;
  const file = toWav(silence(1));
  const fields = { model, response_format: 'verbose_json' };
  const startedAt = performance.now();
  const { answer, heldMs } = await stack.db.transaction().execute(async (other) => {
    await lockOrganization(other, organizationId);
    const waiting = postFile(stack, path, { file, fields });
    await untilAnyIsBlocked(stack.db, other);
    const blockedAt = performance.now();
    await sql`SELECT pg_sleep(2)`.execute(other);
    return { answer: { waiting }, heldMs: performance.now() - blockedAt };
  });
  const { server_ms: serverMs } = liteResultSchema.parse((await answer.waiting).body);
  const elsewhereMs = performance.now() - startedAt - serverMs!;
  t.true(elsewhereMs > heldMs / 2, `${elsewhereMs} of ${heldMs} ms are left out`);
});

test('what violates the strict shape is rejected and leaves nothing', async (t) => {
  const stack = await testStack(t);
  const short = toWav(silence(1));
  const cases: readonly (readonly [Record<string, string>, string])[] = [
    [{ temperature: '0' }, 'unknown_field'],
    [{ include_logits: 'true' }, 'unknown_field'],
    [{ language: 'de' }, 'invalid_field'],
    [{ response_format: 'srt' }, 'invalid_field'],
    [{ num_speakers: '2' }, 'invalid_field'],
    [{ response_format: 'text', diarize: '1' }, 'invalid_field'],
    [{ emotion_detection: 'maybe' }, 'invalid_field'],
  ];
  for (const [fields, code] of cases) {
    const { status, body } = await postFile(stack, path, {
      file: short,
      fields: { model, ...fields },
    });
    t.is(`${status} ${body.error.code}`, `400 ${code}`, JSON.stringify(fields));
  }
  const large = await postFile(stack, path, { file: toWav(silence(140)), fields: { model } });
  t.is(`${large.status} ${large.body.error.code}`, '413 body_too_large');
  const long = await postFile(stack, path, { file: toWav(silence(60.01)), fields: { model } });
  t.is(`${long.status} ${long.body.error.code}`, '400 audio_too_long');
  const limit = await postFile(stack, path, { file: toWav(silence(60)), fields: { model } });
  t.is(limit.status, 200, JSON.stringify(limit.body));
  const elsewhere = await postFile(stack, '/v1/audio/analysis', { file: short, fields: { model } });
  t.is(elsewhere.body.error.code, 'model_not_supported');
  const left = await settledTraces(stack);
  t.deepEqual(left.debits, [60]);
  t.deepEqual(left.objectKeys, []);
});
