// Spectra-2 on files: its strict shape and formats, its limits to the sample, its 429s and 409s.
import test from 'ava';
import { spectra2ResultSchema } from '../../api/results/schemas.ts';
import { joinSamples } from '../../models/audio/samples.ts';
import { emotionLabels, styleLabels } from '../../models/contract/labels.ts';
import { encode, noise, silence, speech, tone, toWav } from '../support/speech.ts';
import { postFile, testStack } from '../support/stack.ts';
import { settledTraces } from '../support/traces.ts';

const transcriptions = '/v1/audio/transcriptions';
const analysis = '/v1/audio/analysis';
const fields = { model: 'svc-spectra-2' };

const little = (values: Float32Array): Buffer => Buffer.from(values.buffer);

test('every format gives the same text and scores of the whole clip', async (t) => {
  const stack = await testStack(t);
  const spoken = joinSamples([await speech('Please call me back tomorrow morning.'), silence(0.3)]);
  const wav = toWav(spoken);
  const floats = little(Float32Array.from(spoken, (sample) => sample / 32_768));
  const files = [
    { file: wav },
    { file: await encode(wav, 'flac') },
    { file: Buffer.from(spoken.buffer), type: 'audio/pcm' },
    { file: floats, type: 'audio/f32le' },
  ];
  const results = [];
  for (const file of files) {
    const answer = await postFile(stack, analysis, { ...file, fields });
    t.is(answer.status, 200, JSON.stringify(answer.body));
    results.push(spectra2ResultSchema.parse(answer.body));
  }
  const [first] = results;
  t.regex(first!.text, /call me back tomorrow morning/i);
  t.is(first!.task, 'analysis');
  t.deepEqual(
    first!.emotions.map(({ label }) => label),
    [...emotionLabels],
  );
  t.deepEqual(
    first!.styles.map(({ label }) => label),
    [...styleLabels],
  );
  t.is(first!.usage.rate_per_minute_usd, '0.0120');
  for (const other of results) t.is(other.text, first!.text);
  t.is((await settledTraces(stack)).debits.length, 4);

  const quiet = await postFile(stack, transcriptions, { file: toWav(silence(2)), fields });
  t.is(spectra2ResultSchema.parse(quiet.body).text, '');
  const hiss = await postFile(stack, transcriptions, { file: toWav(noise(4)), fields });
  t.is(spectra2ResultSchema.parse(hiss.body).text, '');
});

test('limits are inclusive to the sample, and what exceeds them is rejected', async (t) => {
  const stack = await testStack(t);
  const send = async (file: Buffer, more: object = {}) => {
    const { status, body } = await postFile(stack, transcriptions, { file, fields, ...more });
    return status === 200 ? 200 : body.error.code;
  };
  const pcm = (samples: number): Buffer => Buffer.alloc(2 * samples);
  const type = 'audio/pcm';
  t.is(await send(pcm(719), { type }), 'audio_too_short');
  t.is(await send(pcm(720), { type }), 200);
  t.is(await send(pcm(960_000), { type }), 200);
  t.is(await send(pcm(960_001), { type }), 'audio_too_long');
  t.is(await send(Buffer.alloc(2_001), { type }), 'audio_undecodable');
  t.is(await send(pcm(8_000)), 'unsupported_audio');
  const bad = Float32Array.from({ length: 8_000 }, (_, i) => (i === 5_000 ? Number.NaN : 0));
  t.is(await send(little(bad), { type: 'audio/f32le' }), 'audio_undecodable');
  t.is(await send(toWav(tone(440, 1, 8_000), { rate: 8_000 })), 'unsupported_audio');
  t.is(await send(toWav(tone(440, 2), { channels: 2 })), 'unsupported_audio');
  t.is(await send(await encode(toWav(tone(440, 1)), 'mp3')), 'unsupported_audio');
  const flac = await encode(toWav(tone(440, 1)), 'flac');
  flac.fill(0, 22, 26);
  flac[21]! &= 0xf0;
  t.is(await send(flac), 'unsupported_audio');
  t.is(await send(Buffer.alloc(4 * 1_048_576 + 1), { type }), 'file_too_large');
  const wav = toWav(tone(440, 1));
  t.is(await send(wav, { fields: { ...fields, diarize: '1' } }), 'unknown_field');
  t.is((await postFile(stack, '/v1/audio/emotions', { file: wav, fields })).status, 400);
  const { debits, objectKeys, objectRows } = await settledTraces(stack);
  t.deepEqual(
    [debits.reduce((sum, seconds) => sum + seconds, 0), objectKeys.length, objectRows],
    [61, 0, 0],
  );
});

test('repeats are 409, upload_busy leaves the id unused, model_busy closes it', async (t) => {
  const file = toWav(await speech('One two three.'));
  const stack = await testStack(t);
  const send = (requestId: string, more: object = {}) =>
    postFile(stack, transcriptions, { file, fields, requestId, ...more });
  t.is((await send('once')).status, 200);
  t.is((await send('once')).body.error.code, 'request_already_completed');
  const other = await postFile(stack, analysis, { file, fields, requestId: 'once' });
  t.is(other.body.error.code, 'idempotency_conflict');

  const noUploads = await testStack(t, { spectraUploads: 0, worker: false });
  const busy = await postFile(noUploads, transcriptions, { file, fields, requestId: 'a' });
  t.deepEqual([busy.status, busy.body.error.code], [429, 'upload_busy']);
  t.regex(busy.headers.get('retry-after')!, /^[1-9]\d*$/);
  t.is((await noUploads.db.selectFrom('requests').selectAll().execute()).length, 0);

  const noRuns = await testStack(t, { spectraRuns: 0, worker: false });
  const closed = await postFile(noRuns, transcriptions, { file, fields, requestId: 'a' });
  t.deepEqual([closed.status, closed.body.error.code], [429, 'model_busy']);
  t.regex(closed.headers.get('retry-after')!, /^[1-9]\d*$/);
  const again = await postFile(noRuns, transcriptions, { file, fields, requestId: 'a' });
  t.is(again.body.error.code, 'request_already_completed');
  t.deepEqual(await settledTraces(noRuns), { debits: [], objectKeys: [], objectRows: 0 });
});
