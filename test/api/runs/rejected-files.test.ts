// A file that has crashed a decoder is rejected without a workflow when it is sent again.
import test from 'ava';
import { createRejectedFiles } from '../../../api/runs/rejected-files.ts';
import type { RunRequest } from '../../../api/runs/run-request.ts';
import type { WorkflowRuns } from '../../../api/runs/workflow-runs.ts';
import { openDatabase, pingDatabase } from '../../../db/database.ts';
import { failedDecodeBudget, quarantine } from '../../../db/decodes.ts';
import { ServiceError } from '../../../models/contract/errors.ts';
import { anAccount, patient, testDatabase } from '../../support/database.ts';
import { testObjectStore } from '../../support/object-store.ts';
import { unansweredRuns } from '../../support/unanswered-runs.ts';

const owner = { own: () => {}, handOver: () => {} };
const message = 'Decoding it takes more than 40 seconds of computing.';

test('a file with a verdict starts no second workflow; other files do', async (t) => {
  const [{ db }, objects] = await Promise.all([testDatabase(t), testObjectStore(t)]);
  const { organizationId, keyId } = await anAccount(db);
  let started = 0;
  const start: WorkflowRuns['start'] = () => {
    started += 1;
    return Promise.reject(new ServiceError('audio_undecodable', message, { param: 'file' }));
  };
  const runs = unansweredRuns(t, { db, objects, start });
  const send = async (requestId: string, sha256: string): Promise<string> => {
    const request: RunRequest = {
      ...{ organizationId, keyId, requestId, task: 'transcription', model: 'svc-resonance' },
      options: { diarize: false, numSpeakers: null, includeLogits: false },
      redaction: null,
      vocabulary: [],
      upload: { key: `uploads/${requestId}`, container: 'flac', bytes: 9, sha256, owner },
    } as RunRequest;
    const error = await t.throwsAsync(runs.runStored(request), { instanceOf: ServiceError });
    return `${error.code} ${error.param}`;
  };
  const stateOf = async (requestId: string) =>
    db.selectFrom('requests').select('state').where('requestId', '=', requestId).execute();

  t.is(await send('first', 'bomb'), 'audio_undecodable file');
  const verdict = { code: 'audio_undecodable', message };
  await quarantine(db, organizationId, { contents: ['sha256:bomb'], verdict });
  t.is(await send('second', 'bomb'), 'audio_undecodable file');
  t.is(started, 1);
  t.deepEqual(await stateOf('second'), [{ state: 'failed' }]);
  await send('third', 'another');
  t.is(started, 2);

  const milliseconds = failedDecodeBudget.seconds * 1_000;
  await db
    .insertInto('failedDecodes')
    .values({ organizationId, minute: new Date(), milliseconds })
    .execute();
  t.is(await send('fourth', 'another'), 'rate_limited null');
  t.is(started, 2);
  t.deepEqual(await stateOf('fourth'), [], 'its id stays unused');
});

test('a verdict that the database cannot tell is left to the worker', async (t) => {
  const { url } = await testDatabase(t);
  const gone = openDatabase(url, patient);
  await pingDatabase(gone);
  await gone.destroy();
  const files = createRejectedFiles(gone);
  files.recordFailure('org', new ServiceError('audio_undecodable', message));
  t.is(await files.errorOf('org', 'bomb'), null);
});
