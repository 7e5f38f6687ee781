// Uploads that their API process did not delete: those which storage keeps hold up no others.
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { sql } from 'kysely';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { sweep } from '../../activities/sweep.ts';
import { anAccount, testDatabase } from '../support/database.ts';
import { noObjects } from '../support/object-exercises.ts';

test('however many uploads of ended requests are kept, later ones are deleted', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId, keyId } = await anAccount(db);
  await sql`INSERT INTO requests (organization_id, request_id, key_id, fingerprint, task, model,
      state, upload_key, updated_at)
    SELECT ${organizationId}, 'r' || i, ${keyId}, 'f', 't', 'm', 'completed', 'uploads/' || i,
      now() - interval '1 hour' FROM generate_series(1, 501) AS i`.execute(db);
  await sql`INSERT INTO objects (key, organization_id, kind, created_at)
    SELECT 'uploads/' || i, ${organizationId}, 'upload',
      now() - interval '2 hours' + i * interval '1 s'
    FROM generate_series(1, 501) AS i`.execute(db);
  const tried: string[] = [];
  const deletion = async ([key]: readonly string[]): Promise<void> => {
    if (!key?.startsWith('uploads/')) return;
    tried.push(key);
    if (key !== 'uploads/501') throw new Error('the object is locked');
  };
  const objects = { ...noObjects, delete: deletion };
  const dependencies = { db, objects } as unknown as ActivityDependencies;
  const pass = () => new MockActivityEnvironment().run(() => sweep(dependencies));
  await t.throwsAsync(pass());
  t.is(tried.length, 500);
  await pass();
  t.deepEqual(tried.slice(500), ['uploads/501']);
  await t.throwsAsync(pass());
  t.deepEqual(tried.slice(501), tried.slice(0, 500), 'and those that were kept are tried again');
});
