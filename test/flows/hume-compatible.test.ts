// Clients of the batch API at /compat/hume: their jobs, predictions and artifacts, each charged
// once.
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { humeJobSchema, humePredictionSchema } from '../../api/results/hume-schemas.ts';
import { joinSamples } from '../../models/audio/samples.ts';
import { call } from '../support/batches.ts';
import { humeJobs } from '../support/hume-clients.ts';
import { serveFile, sourceServer } from '../support/source-server.ts';
import { silence, speech, toWav, withDirectory } from '../support/speech.ts';
import { testStack, untilReady } from '../support/stack.ts';
import { traces } from '../support/traces.ts';

const jobs = '/compat/hume/v0/batch/jobs';

test('clients of the closed API run their jobs to the end', async (t) => {
  const stack = await testStack(t);
  await untilReady(stack);
  const wav = toWav(
    joinSamples([
      await speech('Please call me back tomorrow morning.'),
      silence(1),
      await speech('Thank you very much for your help.'),
    ]),
  );
  const { base } = await sourceServer(t, (request, response) =>
    serveFile(request, response, { bytes: wav, etag: '"1"' }),
  );
  const seen = await withDirectory(async (folder) => {
    const path = join(folder, 'call.wav');
    await writeFile(path, wav);
    return humeJobs(stack, { path, url: `${base}/call.wav` });
  });
  const texts = (granularity: string): string[] =>
    seen[granularity].groups.flatMap(([, all]: [string, [string][]]) => all.map(([text]) => text));
  for (const granularity of ['word', 'sentence', 'utterance', 'conversational_turn']) {
    t.like(seen[granularity], { state: 'COMPLETED', predictions: 1 }, granularity);
    const spoken = texts(granularity).join(' ');
    t.regex(spoken, /call me back[^]*for your help/i, granularity);
    t.true(seen[granularity].native.length > 0);
  }
  t.true(texts('word').length >= 10 && texts('word').every((text) => !text.includes(' ')));
  t.true(texts('sentence').length >= 2);
  const [[speaker]] = seen.conversational_turn.groups;
  t.regex(speaker, /^speaker_\d$/);
  t.is(seen.word.groups[0][0], 'unknown');
  t.deepEqual(seen.conflict, ['server_error', 409]);
  t.regex(seen.failed, /decode|WAV|audio/i);
  t.like(seen.file, { filename: 'call.wav', content_type: 'audio/wav' });
  t.true(JSON.stringify(seen.file).includes(createHash('md5').update(wav).digest('hex')));
  t.true(seen.confidence > 0 && seen.confidence <= 1);
  t.deepEqual(Object.keys(seen.artifacts), [
    '1-call.wav/predictions.json',
    '1-call.wav/prosody.csv',
    '1-call.wav/native.csv',
  ]);
  const files = Object.values(seen.artifacts) as string[];
  t.notThrows(() => humePredictionSchema.parse(JSON.parse(files[0]!)));
  t.regex(files[1]!, /^Id,Text,BeginTime,EndTime\r\nunknown,/);
  t.deepEqual(seen.urls, ['COMPLETED', 'INFERENCE']);
  const completed = (count: number): readonly string[] => Array(count).fill('COMPLETED');
  t.deepEqual(seen.listed, [...completed(4), 'FAILED', ...completed(2)]);
  t.deepEqual(seen.chosen, [1, 2, 0, true]);
  const seconds = Math.ceil((wav.length - 44) / 32_000);
  t.deepEqual((await traces(stack)).debits, Array(6).fill(seconds));

  const start = (body: object) => call(stack, jobs, { method: 'POST', body });
  const models = { prosody: {} };
  const urls = [`${base}/call.wav`];
  for (const [body, code, param] of [
    [{ models: {}, urls }, 'missing_field', 'models.prosody'],
    [{ models: { prosody: { window: 1 } }, urls }, 'unknown_field', 'models.prosody.window'],
    [{ models: { ...models, face: {} }, urls }, 'unknown_field', 'models.face'],
    [{ models, urls, notify: true }, 'invalid_field', 'notify'],
    [{ models, urls, callback_url: 'https://example.com/' }, 'invalid_field', 'callback_url'],
    [{ models, urls: ['https://10.0.0.1/'] }, 'source_refused', 'urls.0'],
  ] as const) {
    const answer = await start(body);
    t.like(answer.body.error, { code, param }, JSON.stringify(answer.body));
  }
  for (const [query, code] of [
    ['limit=101', 'invalid_field'],
    ['status=DONE', 'invalid_field'],
    ['when=created_after&timestamp_ms=-1', 'invalid_field'],
    ['colour=red', 'unknown_field'],
  ] as const) {
    t.is((await call(stack, `${jobs}?${query}`)).body.error.code, code, query);
  }
  const headers = { 'X-Request-ID': 'mine' };
  const named = await call(stack, jobs, { method: 'POST', body: { models, urls }, headers });
  t.is(named.body.error.code, 'invalid_request_id');
  const { body: created } = await start({ models, urls });
  const { body: job } = await call(stack, `${jobs}/${created.job_id}`);
  t.notThrows(() => humeJobSchema.parse(job));
  t.is((await call(stack, `${jobs}/${crypto.randomUUID()}`)).body.error.code, 'not_found');
});
