// API keys: shown once, stored as a hash, refused when they should be.
import test from 'ava';
import { createKey, findAccountByKey } from '../../db/accounts.ts';
import { anAccount, testDatabase } from '../support/database.ts';

test('a key finds its account, and only its hash is stored', async (t) => {
  const { db } = await testDatabase(t);
  const { key, keyId, organizationId } = await anAccount(db);
  t.regex(key, /^svc_live_[0-9a-f]{16}_[A-Za-z0-9_-]{43}$/);
  const account = await findAccountByKey(db, key);
  t.is(account?.keyId, keyId);
  t.is(account?.organizationId, organizationId);
  const rows = JSON.stringify(await db.selectFrom('api_keys').selectAll().execute());
  t.false(rows.includes(key.split('_').slice(3).join('_')));
});

test('malformed, unknown, changed, revoked and expired keys are refused', async (t) => {
  const { db } = await testDatabase(t);
  const { key, keyId, organizationId } = await anAccount(db);
  const changed = key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');
  const unknown = key.replace(/_[0-9a-f]{16}_/, '_0123456789abcdef_');
  for (const wrong of ['', 'x', changed, unknown, `${key} `]) {
    t.is(await findAccountByKey(db, wrong), null);
  }
  const expiresAt = new Date(Date.now() - 1_000);
  const expired = await createKey(db, { organizationId, mode: 'test', expiresAt });
  t.is(await findAccountByKey(db, expired.key), null);
  await db
    .updateTable('api_keys')
    .set({ revoked_at: new Date() })
    .where('id', '=', keyId)
    .execute();
  t.is(await findAccountByKey(db, key), null);
});
