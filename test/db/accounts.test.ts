// What is asked of a caller before a body is read, in one statement.
import test from 'ava';
import { sql } from 'kysely';
import { admitByKey, findAccountByKey } from '../../db/accounts.ts';
import { createKey, revokeKey } from '../../db/api-keys.ts';
import { hasAllowance } from '../../db/balance.ts';
import { writeEntry } from '../../db/ledger.ts';
import type { Db } from '../../db/database.ts';
import { anAccount, testDatabase } from '../support/database.ts';

async function countOf(db: Db, keyId: string): Promise<number> {
  const { rows } = await sql<{ used: number }>`
    SELECT used FROM rate_windows WHERE key_id = ${keyId}`.execute(db);
  return rows[0]?.used ?? 0;
}

test('a key is admitted as it is found, and its requests are counted', async (t) => {
  const { db } = await testDatabase(t);
  const { key, keyId } = await anAccount(db);
  const found = await findAccountByKey(db, key);
  t.is(await countOf(db, keyId), 0, 'finding counts nothing');
  for (const used of [1, 2, 3]) {
    const admission = (await admitByKey(db, key))!;
    t.deepEqual(admission.account, found);
    t.is(admission.rate?.used, used);
    t.true(admission.rate!.secondsLeft >= 1 && admission.rate!.secondsLeft <= 60);
    t.true(admission.canPay);
  }
});

test('sixty at once are counted one by one', async (t) => {
  const { db } = await testDatabase(t);
  const { key } = await anAccount(db);
  const admissions = await Promise.all(Array.from({ length: 60 }, () => admitByKey(db, key)));
  const counts = admissions.map((admission) => admission!.rate!.used).sort((a, b) => a - b);
  t.deepEqual(
    counts,
    Array.from({ length: 60 }, (_, i) => i + 1),
  );
});

test('a key that is not valid is not admitted and counts nothing', async (t) => {
  const { db } = await testDatabase(t);
  const { key, keyId, organizationId } = await anAccount(db);
  const other = await createKey(db, { organizationId, mode: 'live', actor: 'test' });
  const past = new Date(Date.now() - 1_000);
  const expired = await createKey(db, {
    ...{ organizationId, mode: 'live', actor: 'test' },
    expiresAt: past,
  });
  const secretOf = (whole: string) => whole.split('_').slice(3).join('_');
  const swapped = key.replace(secretOf(key), secretOf(other.key));
  for (const wrong of ['', 'x', swapped, `${key} `, expired.key]) {
    t.is(await admitByKey(db, wrong), null, wrong);
  }
  await revokeKey(db, keyId, 'test');
  t.is(await admitByKey(db, key), null);
  for (const id of [keyId, other.keyId, expired.keyId]) t.is(await countOf(db, id), 0);
});

test('of a suspended account nothing is counted', async (t) => {
  const { db } = await testDatabase(t);
  const { key, keyId, organizationId } = await anAccount(db);
  await db
    .updateTable('organizations')
    .set({ suspended: true })
    .where('id', '=', organizationId)
    .execute();
  const admission = await admitByKey(db, key);
  t.true(admission!.account.suspended);
  t.is(admission!.rate, null);
  t.is(await countOf(db, keyId), 0);
});

test('whether it can pay is what the balance says', async (t) => {
  const { db } = await testDatabase(t);
  for (const [terms, seconds, canPay] of [
    [{ allowanceSeconds: 60 }, 59, true],
    [{ allowanceSeconds: 60 }, 60, false],
    [{ allowanceSeconds: 0 }, 0, false],
    [{ allowanceSeconds: 60, overageSeconds: 30 }, 89, true],
    [{ allowanceSeconds: 60, overageSeconds: 30 }, 90, false],
    [{ allowanceSeconds: 60, overageSeconds: null }, 9_000, true],
  ] as const) {
    const { key, organizationId } = await anAccount(db, terms);
    const entry = { organizationId, requestId: 'r', attempt: 1, kind: 'reserve' } as const;
    if (seconds > 0) await writeEntry(db, { ...entry, seconds, microUsd: 0 });
    const what = `${JSON.stringify(terms)}, ${seconds} s used`;
    t.is((await admitByKey(db, key))!.canPay, canPay, what);
    t.is(await hasAllowance(db, organizationId), canPay, what);
  }
});
