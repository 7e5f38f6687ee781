// The owner of an object deletes it, however its request ends; what was handed over stays.
import test, { type ExecutionContext } from 'ava';
import { withOwnedObjects, type OwnedObjects } from '../../../api/upload/owned-objects.ts';
import { registerObject } from '../../../db/object-rows.ts';
import { anAccount, testDatabase } from '../../support/database.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { testObjectStore } from '../../support/object-store.ts';
import { until } from '../../support/until.ts';

async function aStore(t: ExecutionContext) {
  const [{ db }, objects] = await Promise.all([testDatabase(t), testObjectStore(t)]);
  const { organizationId } = await anAccount(db);
  return {
    stores: { db, objects },
    put: async (owner: OwnedObjects, key: string): Promise<void> => {
      owner.own(key);
      await registerObject(db, { key, organizationId, kind: 'upload' });
      await objects.putBytes(key, key);
    },
    left: async () => {
      const rows = await db.selectFrom('objects').select('key').orderBy('key').execute();
      return { rows: rows.map(({ key }) => key), keys: await objects.list('uploads/') };
    },
  };
}

test.serial('a rejection deletes the owned objects before it is answered', async (t) => {
  const { stores, put, left } = await aStore(t);
  // Its clean-up may take as long as it does here.
  fakeClock(t);
  const rejected = withOwnedObjects(stores, async (owner) => {
    await put(owner, 'uploads/a');
    await put(owner, 'uploads/b');
    owner.handOver('uploads/b');
    throw new Error('rejected');
  });
  await t.throwsAsync(rejected, { message: 'rejected' });
  t.deepEqual(await left(), { rows: ['uploads/b'], keys: ['uploads/b'] });
});

test.serial('a prefix is deleted with everything under it', async (t) => {
  const { stores, left } = await aStore(t);
  fakeClock(t);
  const { organizationId } = await anAccount(stores.db);
  const rejected = withOwnedObjects(stores, async (owner) => {
    owner.own('uploads/a/');
    await registerObject(stores.db, { key: 'uploads/a/', organizationId, kind: 'work' });
    for (const name of ['a/1', 'a/2', 'ab']) await stores.objects.putBytes(`uploads/${name}`, name);
    throw new Error('rejected');
  });
  await t.throwsAsync(rejected, { message: 'rejected' });
  t.deepEqual(await left(), { rows: [], keys: ['uploads/ab'] });
});

test.serial('an answer deletes owned objects, those that were handed back included', async (t) => {
  const { stores, put, left } = await aStore(t);
  const answer = await withOwnedObjects(stores, async (owner) => {
    await put(owner, 'uploads/a');
    await put(owner, 'uploads/b');
    owner.handOver('uploads/b');
    owner.own('uploads/b');
    await put(owner, 'uploads/c');
    owner.handOver('uploads/c');
    return 7;
  });
  t.is(answer, 7);
  const remains = await until(left, ({ rows, keys }) => rows.length === 1 && keys.length === 1);
  t.deepEqual(remains, { rows: ['uploads/c'], keys: ['uploads/c'] });
});

test.serial('a rejection is unchanged when storage is unavailable', async (t) => {
  const { stores } = await aStore(t);
  const objects = { ...stores.objects, delete: () => Promise.reject(new Error('away')) };
  const rejected = withOwnedObjects({ ...stores, objects }, async (owner) => {
    owner.own('uploads/a');
    throw new Error('rejected');
  });
  await t.throwsAsync(rejected, { message: 'rejected' });
});
