// A batch is created while its recordings are being deleted: it has all of them, or is refused.
import test from 'ava';
import { sql } from 'kysely';
import { closeBatch } from '../../../db/close-batch.ts';
import type { Db } from '../../../db/database.ts';
import { call, readResults, uploadFile } from '../../support/batches.ts';
import { untilBlocked } from '../../support/blocked.ts';
import { tone, toWav } from '../../support/speech.ts';
import { testStack } from '../../support/stack.ts';

/** Both wait for the sums of their organization, in this order, as for those of another batch. */
async function inOrder<A, B>(
  db: Db,
  first: () => Promise<A>,
  second: () => Promise<B>,
): Promise<readonly [A, B]> {
  const { both } = await db.transaction().execute(async (holding) => {
    await sql`INSERT INTO upload_tombstones (key, organization_id, bytes, expires_at)
      SELECT 'holding ' || clock_timestamp(), id, 0, now() FROM organizations`.execute(holding);
    const one = first();
    await untilBlocked(db);
    const other = second();
    await untilBlocked(db, 2);
    return { both: Promise.all([one, other]) };
  });
  return both;
}

test('what a batch that is being created needs stays, and what is gone is named', async (t) => {
  const stack = await testStack(t, { worker: false });
  const { db } = stack;
  const id = await uploadFile(stack, toWav(tone(440, 1)));
  const create = () => {
    const items = [{ custom_id: 'call', file_id: id }];
    return call(stack, '/v1/batches', { method: 'POST', body: { task: 'transcription', items } });
  };
  const remove = (path: string) => () => call(stack, path, { method: 'DELETE' });
  const before = await create();
  await closeBatch(db, before.body.id, 'cancelled');

  const [created, discarded] = await inOrder(db, create, remove(`/v1/batches/${before.body.id}`));
  t.is(created.status, 202);
  t.true(discarded.body.deleted);
  t.is((await call(stack, `/v1/files/${id}`)).status, 200);
  const refused = await call(stack, `/v1/files/${id}`, { method: 'DELETE' });
  t.is(refused.body.error.code, 'file_in_use');

  await closeBatch(db, created.body.id, 'cancelled');
  const [gone, late] = await inOrder(db, remove(`/v1/files/${id}`), create);
  t.true(gone.body.deleted);
  t.is(late.status, 400);
  t.like(late.body.error, { code: 'invalid_field', param: 'items.0.file_id' });
});

test('a batch is deleted with files that another ended one names; its results stay', async (t) => {
  const stack = await testStack(t, { worker: false });
  const id = await uploadFile(stack, toWav(tone(440, 1)));
  const ended = async () => {
    const items = [{ custom_id: 'call', file_id: id }];
    const body = { task: 'transcription', items };
    const { body: created } = await call(stack, '/v1/batches', { method: 'POST', body });
    await closeBatch(stack.db, created.id, 'cancelled');
    return created.id as string;
  };
  const [one, other] = [await ended(), await ended()];
  const kept = () => readResults(stack, other);
  const before = await kept();
  t.is(before.length, 1);
  const remove = (batch: string) => call(stack, `/v1/batches/${batch}`, { method: 'DELETE' });
  t.true((await remove(one)).body.deleted);
  t.is((await call(stack, `/v1/files/${id}`)).status, 404, 'no audio is left behind');
  t.deepEqual(await kept(), before);
  const items = (await call(stack, `/v1/batches/${other}/items`)).body.data;
  t.like(items[0], { custom_id: 'call', file_id: id, status: 'cancelled' });
  t.true((await remove(other)).body.deleted);
});
