// A recording that was fetched belongs to its file even if the answer to the commit is lost.
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { ApplicationFailure } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { fetchRecording } from '../../../activities/batches/fetch-recording.ts';
import type { ActivityDependencies } from '../../../activities/dependencies.ts';
import { createFile } from '../../../db/files.ts';
import type { UploadedAudio } from '../../../models/contract/recording-request.ts';
import { createFairSemaphore } from '../../../models/fairness/fair-semaphore.ts';
import type { FetchRecordingInput } from '../../../workflows/types.ts';
import { anAccount, testDatabase } from '../../support/database.ts';
import { lostCommit } from '../../support/lost-commit.ts';
import { testObjectStore } from '../../support/object-store.ts';
import { silence, toWav } from '../../support/speech.ts';

test('its object stays when the answer to the commit is lost', async (t) => {
  const [{ db }, objects] = await Promise.all([testDatabase(t), testObjectStore(t)]);
  const { organizationId } = await anAccount(db);
  const clip = toWav(silence(1));
  const file = (await createFile(db, {
    ...{ organizationId, objectKey: 'placeholder', filename: 'call.wav' },
    ...{ audio: { sourceUrl: 'https://calls.example/call.wav' }, lifetimeSeconds: 3_600 },
    ...{ idempotencyKey: null, fingerprint: null },
  }))!;
  let fetches = 0;
  const dependencies = {
    ...{ db: lostCommit(db), objects, secretBox: null, temporaryDirectory: tmpdir() },
    fetchers: createFairSemaphore(1),
    fetchSource: async ({ path }: { readonly path: string }) => {
      fetches += 1;
      await writeFile(path, clip);
    },
  } as unknown as ActivityDependencies;
  const input = { organizationId, remote: { fileId: file.id } } as unknown as FetchRecordingInput;
  const fetchOnce = (attempt: number): Promise<UploadedAudio> =>
    new MockActivityEnvironment({ attempt }).run(() =>
      fetchRecording(dependencies, input),
    ) as Promise<UploadedAudio>;
  await t.throwsAsync(fetchOnce(1), { instanceOf: ApplicationFailure });
  const upload = await fetchOnce(2);
  t.deepEqual(await objects.getBytes(upload.key), clip);
  t.is(fetches, 1);
});
