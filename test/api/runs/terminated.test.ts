// A workflow that an operator terminates cannot end its request: whoever waits for it does, because
// the answer says that it may be sent again.
import { randomUUID } from 'node:crypto';
import { Client } from '@temporalio/client';
import test from 'ava';
import type { RunRequest } from '../../../api/runs/run-request.ts';
import { createRuns } from '../../../api/runs/runs.ts';
import { createWorkflowRuns } from '../../../api/runs/workflow-runs.ts';
import { withOwnedObjects } from '../../../api/upload/owned-objects.ts';
import { balanceOf } from '../../../db/balance.ts';
import { idHash } from '../../../db/object-keys.ts';
import { reserve } from '../../../db/settlement.ts';
import { requestWorkflowId } from '../../../workflows/ids.ts';
import { anAccount, testDatabase } from '../../support/database.ts';
import { testObjectStore } from '../../support/object-store.ts';
import { connectPatiently, withoutDeadlines } from '../../support/patience.ts';
import { until } from '../../support/until.ts';

test('after its 500 the same id runs again at once, and nothing is kept of it', async (t) => {
  const [{ db }, objects] = await Promise.all([testDatabase(t), testObjectStore(t)]);
  const { organizationId, keyId } = await anAccount(db, { allowanceSeconds: 60 });
  const connection = withoutDeadlines(await connectPatiently());
  t.teardown(() => connection.close());
  const client = new Client({ connection });
  const runs = createRuns({
    ...{ db, objects, answerDeadlineMs: 600_000 },
    // No worker polls this queue.
    workflows: createWorkflowRuns(client, `no-worker-${randomUUID()}`),
    completions: { next: () => ({ completed: new Promise(() => {}), stop: () => {} }) },
  } as unknown as Parameters<typeof createRuns>[0]);
  t.teardown(() => runs.close());

  /** Sends the id, and terminates the workflow of that attempt. */
  const terminated = async (attempt: number): Promise<void> => {
    const key = `uploads/${attempt}`;
    await objects.putBytes(key, 'audio');
    const answer = withOwnedObjects({ db, objects }, (owner) => {
      const upload = { key, container: 'wav', bytes: 5, sha256: 'a', owner };
      return runs.runStored({
        ...{ organizationId, keyId, requestId: 'x', task: 'transcription', model: 'svc-resonance' },
        options: { diarize: false, numSpeakers: null, includeLogits: false },
        ...{ redaction: null, vocabulary: [], upload },
      } as RunRequest);
    });
    const rejected = t.throwsAsync(answer, { message: /was terminated .* send the request again/ });
    const handle = client.workflow.getHandle(requestWorkflowId(organizationId, idHash('x')));
    const isStarted = async (): Promise<boolean> =>
      (await handle.describe().catch(() => null))?.memo?.attempt === attempt;
    t.true(await until(isStarted));
    const ref = { organizationId, requestId: 'x', attempt };
    await reserve(db, ref, 60);
    await handle.terminate();
    await rejected;
    const { remainingSeconds } = await balanceOf(db, organizationId);
    t.is(remainingSeconds, 60, 'the reservation is released');
    // A storage that is slow to delete it does not delay the answer.
    const left = await until(
      () => objects.list(key),
      ({ length }) => length === 0,
    );
    t.deepEqual(left, []);
  };
  await terminated(1);
  await terminated(2);
});
