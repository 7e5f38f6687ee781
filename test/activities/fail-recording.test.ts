// An id that a 402 leaves unused, while it is sent again.
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { failRecording } from '../../activities/fail-recording.ts';
import { workPrefix } from '../../db/object-keys.ts';
import { claimRequest } from '../../db/requests.ts';
import type { FailRecordingInput } from '../../workflows/types.ts';
import { anAccount, testDatabase } from '../support/database.ts';
import { testObjectStore } from '../support/object-store.ts';

test('a repeated step leaves the next claim of the id and its objects alone', async (t) => {
  const [{ db }, objects] = await Promise.all([testDatabase(t), testObjectStore(t)]);
  const { organizationId, keyId } = await anAccount(db);
  const ref = { organizationId, requestId: 'r', attempt: 1 };
  const transcript = `${workPrefix(ref)}transcript.txt`;
  const send = async (name: string): Promise<string> => {
    const { kind } = await claimRequest(db, {
      ...{ organizationId, keyId, requestId: 'r', fingerprint: 'f', task: 'transcription' },
      ...{ model: 'svc-resonance', ratePerMinute: 8_000, uploadKey: `uploads/${name}` },
    });
    if (kind === 'admitted') {
      for (const key of [`uploads/${name}`, transcript]) await objects.putBytes(key, name);
    }
    return kind;
  };
  const meanwhile: string[] = [];
  const deletePrefix = async (prefix: string): Promise<void> => {
    await objects.deletePrefix(prefix);
    meanwhile.push(await send('too early'));
  };
  const store = { ...objects, deletePrefix };
  const dependencies = { db, objects: store } as unknown as ActivityDependencies;
  const failed = {
    recording: { ...ref, upload: { key: 'uploads/first', container: 'wav', bytes: 9 } },
    ...{ code: 'allowance_exhausted', message: 'Used up.', param: null },
  } as unknown as FailRecordingInput;
  const fail = () => new MockActivityEnvironment().run(() => failRecording(dependencies, failed));

  await send('first');
  await fail();
  t.deepEqual(meanwhile, ['rejected'], 'what is deleted is not yet of somebody else');
  t.deepEqual(await objects.list(''), []);
  t.is(await send('second'), 'admitted');
  t.deepEqual(await fail(), { isCallersFault: true, isAudiosFault: false });
  const rows = await db.selectFrom('requests').select(['state', 'uploadKey']).execute();
  t.deepEqual(rows, [{ state: 'admitted', uploadKey: 'uploads/second' }]);
  t.deepEqual((await objects.list('')).toSorted(), ['uploads/second', transcript].toSorted());
});
