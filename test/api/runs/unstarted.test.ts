// A request whose workflow does not start leaves none of its texts behind; one whose workflow may
// have started leaves them to it.
import test, { type ExecutionContext } from 'ava';
import type { RunRequest } from '../../../api/runs/run-request.ts';
import { StartUnknown, type WorkflowRuns } from '../../../api/runs/workflow-runs.ts';
import { withOwnedObjects } from '../../../api/upload/owned-objects.ts';
import { ServiceError } from '../../../models/contract/errors.ts';
import { anAccount, testDatabase } from '../../support/database.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { testObjectStore } from '../../support/object-store.ts';
import { unansweredRuns } from '../../support/unanswered-runs.ts';

/** Sends a reading with a vocabulary. @returns the error, and the names and rows that are left */
async function rejected(t: ExecutionContext, start: WorkflowRuns['start']) {
  const [{ db }, objects] = await Promise.all([testDatabase(t), testObjectStore(t)]);
  const { organizationId, keyId } = await anAccount(db);
  const runs = unansweredRuns(t, { db, objects, start });
  // The clean-up may take as long as it does here.
  fakeClock(t);
  const answer = withOwnedObjects({ db, objects }, (owner) => {
    const upload = { key: 'uploads/a', container: 'flac', bytes: 9, sha256: 'a', owner } as const;
    owner.own(upload.key);
    const request = {
      ...{ organizationId, keyId, requestId: 'a', task: 'analysis', model: 'svc-resonance' },
      options: { diarize: false, numSpeakers: null, includeLogits: false },
      ...{ redaction: null, vocabulary: ['Siobhan'], transcript: 'It was read.', upload },
    } as RunRequest;
    return runs.runStored(request);
  });
  const { code } = await t.throwsAsync(answer, { instanceOf: ServiceError });
  const keys = await objects.list('work/');
  const rows = await db.selectFrom('objects').select('kind').execute();
  return { code, names: keys.map((key) => key.split('/').at(-1)), rows: rows.length };
}

test.serial('a start that failed leaves nothing', async (t) => {
  let stored = 0;
  const outcome = await rejected(t, ({ transcriptKey, vocabularyKey }) => {
    stored = [transcriptKey, vocabularyKey].filter((key) => key !== undefined).length;
    return Promise.reject(new ServiceError('not_ready', 'Temporal is away.'));
  });
  t.is(stored, 2);
  t.deepEqual(outcome, { code: 'not_ready', names: [], rows: 0 });
});

test.serial('a start with an unknown outcome leaves them to the workflow', async (t) => {
  const outcome = await rejected(t, () => Promise.reject(new StartUnknown(new Error('away'))));
  const names = ['transcript.txt', 'vocabulary.txt'];
  t.deepEqual(outcome, { code: 'not_ready', names, rows: 1 });
});
