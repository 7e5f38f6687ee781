// A file that was created exists with its bytes, even if the answer to the commit is lost.
import test from 'ava';
import { createFileOfUpload } from '../../../api/files/create-or-replay.ts';
import { withOwnedObjects } from '../../../api/upload/owned-objects.ts';
import { newUploadKey } from '../../../db/object-keys.ts';
import { registerObject } from '../../../db/object-rows.ts';
import { anAccount, testDatabase } from '../../support/database.ts';
import { lostCommit } from '../../support/lost-commit.ts';
import { testObjectStore } from '../../support/object-store.ts';

test('a repeat with its Idempotency-Key finds the file and its object', async (t) => {
  const [{ db }, objects] = await Promise.all([testDatabase(t), testObjectStore(t)]);
  const { organizationId } = await anAccount(db);
  const unsteady = lostCommit(db);
  const ctx = { set: () => {} } as never;
  const create = (content: string) =>
    withOwnedObjects({ db, objects }, async (owner) => {
      const key = newUploadKey(organizationId);
      owner.own(key);
      await registerObject(db, { key, organizationId, kind: 'upload' });
      const stored = await objects.putStream(key, [Buffer.from(content)] as never);
      const upload = { key, container: 'wav', owner, ...stored } as const;
      return createFileOfUpload(unsteady, ctx, upload, {
        ...{ organizationId, filename: 'call.wav', lifetimeSeconds: 3_600 },
        ...{ idempotencyKey: 'once', fingerprint: 'f' },
      });
    });
  await t.throwsAsync(create('first'), { message: 'Connection terminated unexpectedly' });
  const file = await create('second');
  t.is((await objects.getBytes(file.objectKey)).toString(), 'first');
  const rows = await db.selectFrom('objects').select(['key', 'kind']).execute();
  t.true(rows.some(({ key, kind }) => key === file.objectKey && kind === 'file'));
});
