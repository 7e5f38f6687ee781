// The sweeper's walks through rows: as far as time allows, and on in the next pass.
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { sql } from 'kysely';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { sweep } from '../../activities/sweep.ts';
import { walkRows } from '../../activities/walk-rows.ts';
import { readPosition } from '../../db/sweep-positions.ts';
import { anAccount, testDatabase } from '../support/database.ts';
import { noObjects } from '../support/object-exercises.ts';

const ids = ['a', 'b', 'c'];
const readAfter = async (after: string) => ids.filter((id) => id > after).map((id) => ({ id }));

test('a pass whose time is over stops; the next one goes on behind its last row', async (t) => {
  const { db } = await testDatabase(t);
  const seen: string[] = [];
  const walk = (shareMs: number) =>
    walkRows(db, { position: 'p', readAfter, shareMs, work: async ({ id }) => seen.push(id) });
  await walk(0);
  t.deepEqual(seen, ['a']);
  await walk(60_000);
  t.deepEqual(seen, ['a', 'b', 'c']);
  await walk(60_000);
  t.deepEqual(seen, ['a', 'b', 'c', 'a', 'b', 'c']);
});

test('a row that a pass ends at holds up none behind it', async (t) => {
  const { db } = await testDatabase(t);
  const seen: string[] = [];
  const work = async ({ id }: { readonly id: string }) => {
    seen.push(id);
    if (id === 'b') throw new Error('the pass is over');
  };
  await t.throwsAsync(walkRows(db, { position: 'p', readAfter, work }));
  await walkRows(db, { position: 'p', readAfter, work });
  t.deepEqual(seen, ['a', 'b', 'c']);
});

test('the sweeper goes through batches from where it stopped, and then anew', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId, keyId } = await anAccount(db);
  await sql`INSERT INTO batches (id, organization_id, key_id, task, model, options, metadata, total,
      bytes, created_at, expires_at, status, ended_at)
    SELECT kind || i, ${organizationId}, ${keyId}, 'emotion', 'm', '{}', '{}', 1, 1,
      now() - interval '1 hour', now() - interval '1 minute',
      CASE kind WHEN 'open' THEN 'in_progress' ELSE 'completed' END,
      CASE kind WHEN 'open' THEN NULL ELSE now() END
    FROM generate_series(1, 3) AS i, unnest(ARRAY['open', 'over']) AS kind`.execute(db);
  await sql`INSERT INTO sweep_positions
    VALUES ('open batches', 'open2'), ('expired batches', 'over1')`.execute(db);
  const started: string[] = [];
  const dependencies = {
    ...{ db, objects: noObjects, workflowState: async () => 'absent', metrics: {} },
    batches: { start: async ({ batchId }: { batchId: string }) => void started.push(batchId) },
  } as unknown as ActivityDependencies;
  const pass = () => new MockActivityEnvironment().run(() => sweep(dependencies));
  const left = async () => {
    const rows = await db.selectFrom('batches').select('id').orderBy('id').execute();
    return rows.map(({ id }) => id);
  };
  await pass();
  t.deepEqual(started, ['open3']);
  t.deepEqual(await left(), ['open1', 'open2', 'open3', 'over1']);
  t.is(await readPosition(db, 'open batches'), '');
  await pass();
  t.deepEqual(started, ['open3', 'open1', 'open2', 'open3']);
  t.deepEqual(await left(), ['open1', 'open2', 'open3']);
});
