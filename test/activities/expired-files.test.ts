// Expired files go in the pass that finds them, also where there are more than a statement takes.
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { sql } from 'kysely';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { sweep } from '../../activities/sweep.ts';
import { storageOf } from '../../db/storage-quota.ts';
import { anAccount, testDatabase } from '../support/database.ts';
import { noObjects } from '../support/object-exercises.ts';

test('a pass deletes more files than one statement does', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId } = await anAccount(db);
  await sql`INSERT INTO files (id, organization_id, object_key, filename, container, bytes,
      expires_at)
    SELECT 'file-' || i, ${organizationId}, 'uploads/' || i, 'x', 'wav', 10,
      now() + CASE i WHEN 1 THEN interval '1 minute' ELSE interval '-1 minute' END
    FROM generate_series(1, 1202) AS i`.execute(db);
  const deleted: string[] = [];
  const objects = {
    ...noObjects,
    delete: async (keys: readonly string[]) => void deleted.push(...keys),
  };
  const dependencies = { db, objects } as unknown as ActivityDependencies;
  await new MockActivityEnvironment().run(() => sweep(dependencies));
  t.is(new Set(deleted).size, 1_201);
  t.deepEqual(await db.selectFrom('files').select('id').execute(), [{ id: 'file-1' }]);
  t.like((await storageOf(db, organizationId)).used, { bytes: 10, files: 1 });
});
