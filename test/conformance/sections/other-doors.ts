// Extensions: recordings by address, and jobs for Hume's clients.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { section, type Entry } from '../case.ts';
import { quiet } from '../recordings.ts';
import { ok, rejected } from '../service.ts';

const jobIds =
  '`X-Request-ID`, a UUID in lower case (its 32 digits alone as well), is the id of the job.';

const bulk = section('Recordings by address', 'bulk.md');
const hume = section("Hume's batch API", 'hume.md');
const files = '/v1/files';
const jobs = '/compat/hume/v0/batch/jobs';
const models = { prosody: {} };
const urls = ['https://example.com/call.wav'];

export const otherDoors: readonly Entry[] = [
  bulk.rule(
    'the file is `pending` until then, and kept and deleted like any other.',
    async (service) => {
      const url = 'https://example.com/calls/one.wav?signature=secret';
      const file = ok(await service.json(files, { source: { url } }));
      assert.equal(file.status, 'pending');
      assert.equal(file.filename, 'one.wav');
      assert.deepEqual(file.source, { url: 'https://example.com/calls/one.wav' });
      assert.deepEqual(ok(await service.get(`${files}/${file.id}`)), file);
    },
  ),
  bulk.rule(
    'Addresses are `https://` or `s3://BUCKET/KEY` (`?`, `#` and `%` of a key as `%3F`, `%23` and ' +
      '`%25`), never of a private network',
    async (service) => {
      for (const url of [
        'ftp://example.com/a',
        'call.wav',
        's3://bucket',
        'https://a:b@c.example/',
      ])
        rejected(await service.json(files, { source: { url } }), 400, 'invalid_field');
      for (const url of ['https://10.0.0.1/a', 'https://[fd00::1]/a', 'https://169.254.169.254/'])
        rejected(await service.json(files, { source: { url } }), 400, 'source_refused');
    },
  ),
  hume.rule(jobIds, async (service) => {
    const headers = { 'X-Request-ID': 'mine' };
    rejected(await service.json(jobs, { models, urls }, headers), 400, 'invalid_request_id');
    const id = randomUUID();
    const fields = [['json', JSON.stringify({ models })]] as const;
    const request = { file: quiet(1), fields, id };
    assert.deepEqual(ok(await service.post(jobs, request)), { job_id: id });
    assert.deepEqual(ok(await service.post(jobs, request)), { job_id: id });
    const job = ok(await service.get(`${jobs}/${id}`));
    assert.equal(job.job_id, id);
    assert.equal(job.request.files.length, 1);
    const other = { ...request, file: quiet(2) };
    rejected(await service.post(jobs, other), 409, 'idempotency_conflict');
  }),
  hume.rule('`notify` are rejected, never ignored.', async (service) => {
    const wrong = [
      { models: { ...models, face: {} } },
      { models: { prosody: { window: {} } } },
      { models, text: ['a'] },
      { models, transcription: {} },
    ];
    for (const body of wrong)
      rejected(await service.json(jobs, { ...body, urls }), 400, 'unknown_field');
    for (const body of [{ notify: true }, { callback_url: 'https://example.com/' }])
      rejected(await service.json(jobs, { models, urls, ...body }), 400, 'invalid_field');
  }),
];
