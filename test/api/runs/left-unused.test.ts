// An id that was left unused is sent again with another recording, while the first caller waits.
import { once } from 'node:events';
import test from 'ava';
import type { RunRequest } from '../../../api/runs/run-request.ts';
import { createRuns } from '../../../api/runs/runs.ts';
import { withOwnedObjects } from '../../../api/upload/owned-objects.ts';
import { AllowanceExhausted } from '../../../db/balance.ts';
import { listenForCompletions } from '../../../db/completions.ts';
import { resultKey } from '../../../db/object-keys.ts';
import type { ClaimRef } from '../../../db/request-ref.ts';
import { unclaimRequest } from '../../../db/requests.ts';
import { reserve, settle } from '../../../db/settlement.ts';
import { ServiceError } from '../../../models/contract/errors.ts';
import type { AnalyzeRecordingInput } from '../../../workflows/types.ts';
import { anAccount, testDatabase } from '../../support/database.ts';
import { testObjectStore } from '../../support/object-store.ts';

type Options = Parameters<typeof createRuns>[0];
/** What its workers do, and what the API is told of it. */
type Work = (claim: ClaimRef) => Promise<unknown>;

test('who was refused is not answered with the recording of another claim', async (t) => {
  const [{ db, url }, objects] = await Promise.all([testDatabase(t), testObjectStore(t)]);
  const { organizationId, keyId } = await anAccount(db, { allowanceSeconds: 10 });
  /** Sends the id to an API process of its own. */
  const send = async (recording: string, work: Work): Promise<string> => {
    const completions = listenForCompletions(url);
    t.teardown(() => completions.close());
    const workflows = {
      start: async ({ attempt, upload }: AnalyzeRecordingInput) => {
        return { organizationId, requestId: 'x', attempt, uploadKey: upload.key };
      },
      result: (claim: ClaimRef) => work(claim),
    };
    const given = { db, objects, workflows, completions, answerDeadlineMs: 600_000 };
    const runs = createRuns(given as unknown as Options);
    t.teardown(() => runs.close());
    const request = {
      ...{ organizationId, keyId, requestId: 'x', task: 'transcription', model: 'svc-resonance' },
      options: { diarize: false, numSpeakers: null, includeLogits: false },
      ...{ redaction: null, vocabulary: [] },
    };
    const upload = { key: `uploads/${recording}`, container: 'wav', bytes: 1, sha256: recording };
    return withOwnedObjects({ db, objects }, (owner) =>
      runs.runStored({ ...request, upload: { ...upload, owner } } as RunRequest),
    ).then(
      ({ stored }) => stored.toString(),
      (error: ServiceError) => error.code,
    );
  };

  const [refused, told] = [Promise.withResolvers<void>(), new AbortController()];
  const first = send('first', async (claim) => {
    await t.throwsAsync(reserve(db, claim, 60), { instanceOf: AllowanceExhausted });
    await unclaimRequest(db, claim);
    refused.resolve();
    // Its API does not reach Temporal, and waits.
    await once(told.signal, 'abort');
    throw new ServiceError('allowance_exhausted', 'no minutes');
  });
  await refused.promise;
  const second = await send('second', async (claim) => {
    await reserve(db, claim, 5);
    await objects.putBytes(resultKey(claim), 'the second recording');
    await settle(db, claim, 5);
  });
  t.is(second, 'the second recording');
  told.abort();
  t.is(await first, 'allowance_exhausted');
});
