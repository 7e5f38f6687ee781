// Objects without a row are deleted once they are old; objects of other applications are kept.
import { randomUUID } from 'node:crypto';
import { mock } from 'node:test';
import test from 'ava';
import { sweepBucket } from '../../db/bucket-sweep.ts';
import { batchPrefix, newUploadKey, ownerOf, resultKey, workPrefix } from '../../db/object-keys.ts';
import { registerObject } from '../../db/object-rows.ts';
import type { ObjectStore } from '../../db/objects/object-store.ts';
import { anAccount, testDatabase } from '../support/database.ts';
import { testObjectStore } from '../support/object-store.ts';

test('orphans are deleted; recent objects, those with a row and others’ are kept', async (t) => {
  const [{ db }, objects] = await Promise.all([testDatabase(t), testObjectStore(t)]);
  const { organizationId } = await anAccount(db);
  const run = (requestId: string) => ({ organizationId, requestId, attempt: 1 });
  const batch = (digit: string) => batchPrefix(organizationId, `batch_${digit.repeat(24)}`);
  const keysOf = (digit: string) => {
    const upload = newUploadKey(organizationId);
    const result = resultKey(run(digit));
    const [work, kept] = [workPrefix(run(digit)), batch(digit)];
    const rows = [
      { key: upload, kind: 'file' },
      { key: result, kind: 'result' },
      { key: work, kind: 'work' },
      { key: kept, kind: 'batch' },
    ] as const;
    return { rows, keys: [upload, result, `${work}chunks/000001.json`, `${kept}000000.json`] };
  };
  const [orphaned, accounted] = [keysOf('a'), keysOf('b')];
  for (const { key, kind } of accounted.rows) {
    await registerObject(db, { key, kind, organizationId });
  }
  const unrelated = [
    'uploads/readme.txt',
    `uploads/org_${'9'.repeat(24)}/${randomUUID()}`,
    `backups/${organizationId}/${randomUUID()}`,
    `uploads/${organizationId}/notes/mine.txt`,
  ];
  for (const key of [...orphaned.keys, ...accounted.keys, ...unrelated]) {
    await objects.putBytes(key, 'x');
  }
  const stays = (keys: readonly string[]) => keys.toSorted();
  t.is(await sweepBucket({ db, objects }), 0, 'all of them are young');
  t.is(await sweepBucket({ db, objects }, { ageMs: -60_000 }), 4);
  const left = await objects.list('');
  t.deepEqual(stays(left), stays([...accounted.keys, ...unrelated]));
});

test.serial('the age of an object is measured by the clock of the database', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId } = await anAccount(db);
  const listed = { key: newUploadKey(organizationId), modifiedAt: new Date() };
  const objects = {
    listPage: async (prefix: string, after: string) =>
      prefix === 'uploads/' && after === '' ? [listed] : [],
    delete: async () => {},
  };
  const inTwoDays = Date.now() + 48 * 3_600_000;
  mock.method(Date, 'now', () => inTwoDays);
  t.teardown(() => mock.restoreAll());
  t.is(await sweepBucket({ db, objects: objects as unknown as ObjectStore }), 0);
});

test('a pass is bounded, and the next one continues after it', async (t) => {
  const [{ db }, real] = await Promise.all([testDatabase(t), testObjectStore(t)]);
  const { organizationId } = await anAccount(db);
  const pages: string[] = [];
  const uploads = Array.from({ length: 10 }, () => newUploadKey(organizationId)).toSorted();
  const listPage = async (prefix: string, after: string) => {
    pages.push(`${prefix}${after === '' ? '' : uploads.indexOf(after)}`);
    const next = prefix === 'uploads/' ? uploads.filter((key) => key > after).slice(0, 2) : [];
    return next.map((key) => ({ key, modifiedAt: new Date(0) }));
  };
  const deleted: string[] = [];
  const objects = {
    ...real,
    listPage,
    delete: async (keys: readonly string[]) => {
      deleted.push(...keys);
    },
  };
  t.is(await sweepBucket({ db, objects }), 6);
  t.is(await sweepBucket({ db, objects }), 4);
  t.deepEqual(deleted, uploads);
  const walked = pages.filter((page) => page.startsWith('uploads/'));
  t.deepEqual(walked, [
    'uploads/',
    'uploads/1',
    'uploads/3',
    'uploads/5',
    'uploads/7',
    'uploads/9',
  ]);
});

test('orphans that cannot be deleted hold up no others', async (t) => {
  const [{ db }, real] = await Promise.all([testDatabase(t), testObjectStore(t)]);
  const { organizationId } = await anAccount(db);
  const locked = newUploadKey(organizationId);
  const result = resultKey({ organizationId, requestId: 'a', attempt: 1 });
  for (const key of [locked, result]) await real.putBytes(key, 'x');
  const objects = {
    ...real,
    delete: async (keys: readonly string[]) => {
      if (keys.includes(locked)) throw new Error('it is locked');
      await real.delete(keys);
    },
  };
  const error = await t.throwsAsync(sweepBucket({ db, objects }, { ageMs: -60_000 }));
  t.true(error instanceof AggregateError);
  t.deepEqual(await real.list(''), [locked]);
});

test('only keys that the service itself makes have an owner', (t) => {
  const organizationId = `org_${'0'.repeat(24)}`;
  const key = newUploadKey(organizationId);
  t.deepEqual(ownerOf(key), { rowKey: key, organizationId });
  for (const other of ['', 'uploads/', `${key}/x`, `x/${key}`, `uploads/org_1/${randomUUID()}`]) {
    t.is(ownerOf(other), null, other);
  }
});
