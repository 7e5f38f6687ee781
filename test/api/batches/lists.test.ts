// Lists of batches and their items: no answer of the database holds more than one step of a list.
import { text } from 'node:stream/consumers';
import test from 'ava';
import { sql, type KyselyPlugin } from 'kysely';
import { batchSteps, itemSteps } from '../../../api/batches/lists.ts';
import { resultLines } from '../../../api/batches/result-lines.ts';
import { stepRows, streamList } from '../../../api/http/list-stream.ts';
import { findBatch } from '../../../db/batches.ts';
import type { Db } from '../../../db/database.ts';
import { anAccount, testDatabase, type TestAccount } from '../../support/database.ts';

/** Kept in the order in which it was written; jsonb would swap the two. */
const metadata = { second: 'x'.repeat(2_000), 'a-first': 'y' };

async function manyBatches(db: Db, { organizationId, keyId }: TestAccount, count: number) {
  const options = { diarize: false, numSpeakers: null, includeLogits: false, channelRoles: [] };
  await sql`INSERT INTO batches (id, organization_id, key_id, task, model, options, metadata, total,
      bytes, created_at, expires_at)
    SELECT 'batch_' || lpad(to_hex(i), 24, '0'), ${organizationId}, ${keyId}, 'emotion',
      'svc-resonance', ${JSON.stringify(options)}, ${JSON.stringify(metadata)}, 1, 1,
      now() - i * interval '1 second', now() + interval '1 day'
    FROM generate_series(1, ${count}::int) AS i`.execute(db);
}

/** Computes how many bytes of JSON each answer of the database would be. */
function watching(sizes: number[]): KyselyPlugin {
  return {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      sizes.push(JSON.stringify(result.rows).length);
      return result;
    },
  };
}

test('a long list is read in steps, and is complete and in order', async (t) => {
  const { db } = await testDatabase(t);
  const account = await anAccount(db);
  await manyBatches(db, account, 420);
  const sizes: number[] = [];
  const watched = db.withPlugin(watching(sizes));
  const page = { limit: 400, after: null };
  const body = await streamList('org', batchSteps(watched, account.organizationId, page));
  const list = JSON.parse(await text(body)) as {
    readonly data: readonly { readonly id: string; readonly metadata: object }[];
    readonly has_more: boolean;
  };
  const id = (i: number): string => `batch_${i.toString(16).padStart(24, '0')}`;
  t.deepEqual(
    list.data.map((batch) => batch.id),
    Array.from({ length: 400 }, (_, i) => id(i + 1)),
  );
  t.true(list.has_more);
  t.is(JSON.stringify(list.data[0]!.metadata), JSON.stringify(metadata));
  const rowBytes = 3_500;
  t.true(Math.max(...sizes) < stepRows * rowBytes, `${Math.max(...sizes)} bytes in one answer`);
});

test('a batch that is deleted while its list is sent is the only one left out', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId, ...account } = await anAccount(db);
  await manyBatches(db, { organizationId, ...account }, stepRows + 2);
  const steps = batchSteps(db, organizationId, { limit: 1_000, after: null });
  const first = await steps.next();
  await db
    .deleteFrom('batches')
    .where('id', 'like', `%${(stepRows + 1).toString(16)}`)
    .execute();
  const second = await steps.next();
  t.is((first.value as { rows: readonly unknown[] }).rows.length, stepRows);
  t.like(second.value, { rows: [{ object: 'batch' }], more: false });
});

test('a cancelled item has one error, in the list and in the results', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId, ...account } = await anAccount(db);
  await manyBatches(db, { organizationId, ...account }, 1);
  await sql`INSERT INTO batch_items (batch_id, position, custom_id, metadata, file_id, object_key,
      container, bytes)
    SELECT id, 0, 'a', '{}', 'file-1', 'uploads/1', 'wav', 1 FROM batches`.execute(db);
  await sql`UPDATE batches SET status = 'cancelled', ended_at = now()`.execute(db);
  const [id] = (await sql<{ id: string }>`SELECT id FROM batches`.execute(db)).rows;
  const batch = (await findBatch(db, organizationId, id!.id))!;
  const listed = await itemSteps(db, batch.id, { from: 0, to: 1, limit: 10 }).next();
  const stores = { db } as Parameters<typeof resultLines>[0];
  const line = JSON.parse(await text(await resultLines(stores, batch))) as {
    readonly error: object;
  };
  t.like(line, { status: 'cancelled', error: { code: 'cancelled', param: null } });
  t.like(listed.value, { rows: [{ status: 'cancelled', error: line.error }] });
});
