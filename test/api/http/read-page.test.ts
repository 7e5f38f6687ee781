// Pages of files and batches: a loop over them ends at the end of the list, or is told why not.
import test, { type ExecutionContext } from 'ava';
import { readPage } from '../../../api/http/read-page.ts';
import type { Db } from '../../../db/database.ts';
import { createFile, deleteFiles, listFiles } from '../../../db/files.ts';
import { ServiceError } from '../../../models/contract/errors.ts';
import { anAccount, testDatabase } from '../../support/database.ts';

type Ctx = Parameters<typeof readPage>[0];

/** Reads pages of two files as a client does. */
function pagesOf(db: Db, organizationId: string) {
  const state = { account: { organizationId } };
  return async (after?: string, table: 'files' | 'batches' = 'files') => {
    const ctx = { query: { limit: '2', ...(after && { after }) }, state } as unknown as Ctx;
    return listFiles(db, organizationId, await readPage(ctx, db, table));
  };
}

async function fiveFiles(t: ExecutionContext) {
  const { db } = await testDatabase(t);
  const { organizationId } = await anAccount(db);
  for (let i = 0; i < 5; i += 1) {
    await createFile(db, {
      ...{ organizationId, objectKey: `uploads/${i}`, filename: `${i}`, lifetimeSeconds: 3_600 },
      audio: { sourceUrl: 'https://example.com/a.wav' },
      ...{ idempotencyKey: null, fingerprint: null },
    });
  }
  return { db, organizationId };
}

test('pages continue after their last row', async (t) => {
  const { db, organizationId } = await fiveFiles(t);
  const page = pagesOf(db, organizationId);
  const names: string[] = [];
  for (let after: string | undefined, more = true; more;) {
    const { rows, more: follows } = await page(after);
    names.push(...rows.map(({ filename }) => filename));
    after = rows.at(-1)!.id;
    more = follows;
  }
  t.deepEqual(names, ['4', '3', '2', '1', '0']);
});

test('a page after a deleted, unknown or foreign row is an error, not the end', async (t) => {
  const { db, organizationId } = await fiveFiles(t);
  const stranger = await anAccount(db);
  const page = pagesOf(db, organizationId);
  const { rows } = await page();
  const rejected = async (reading: Promise<unknown>, noun: string) => {
    const error = await t.throwsAsync(reading, { instanceOf: ServiceError });
    t.like(error, { code: 'invalid_field', param: 'after' });
    t.regex(error!.message, new RegExp(`the id of a ${noun} that is kept; .* first page again`));
  };
  await rejected(pagesOf(db, stranger.organizationId)(rows[0]!.id), 'file');
  await deleteFiles(
    db,
    rows.map(({ id }) => id),
  );
  await rejected(page(rows.at(-1)!.id), 'file');
  await rejected(page('nope'), 'file');
  await rejected(page('nope', 'batches'), 'batch');
  t.is((await page()).rows.length, 2, 'the first page is what is left');
});

test('a row that is deleted while the page after it is read ends nothing', async (t) => {
  const { db, organizationId } = await fiveFiles(t);
  const page = pagesOf(db, organizationId);
  const last = (await page()).rows.at(-1)!;
  const ctx = { query: { after: last.id }, state: { account: { organizationId } } };
  const request = await readPage(ctx as unknown as Ctx, db, 'files');
  await deleteFiles(db, [last.id]);
  t.is((await listFiles(db, organizationId, request)).rows.length, 3);
});
