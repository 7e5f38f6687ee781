// API keys: shown once, stored as a hash, rejected when they are no longer valid.
import test from 'ava';
import { sql } from 'kysely';
import { createKey, limitKey, listKeys, revokeKey, rotateKey } from '../../db/api-keys.ts';
import { findAccountByKey } from '../../db/accounts.ts';
import { listAudit } from '../../db/audit.ts';
import { setSuspended } from '../../db/organizations.ts';
import { countRequest } from '../../db/rate-windows.ts';
import { endedKeys } from '../../db/account-status.ts';
import { anAccount, testDatabase } from '../support/database.ts';

test('a key finds its account, and only its hash is stored', async (t) => {
  const { db } = await testDatabase(t);
  const { key, keyId, organizationId } = await anAccount(db);
  t.regex(key, /^svc_live_[0-9a-f]{16}_[A-Za-z0-9_-]{43}$/);
  const account = await findAccountByKey(db, key);
  t.is(account?.keyId, keyId);
  t.is(account?.organizationId, organizationId);
  const rows = JSON.stringify(await db.selectFrom('apiKeys').selectAll().execute());
  t.false(rows.includes(key.split('_').slice(3).join('_')));
});

test('malformed, unknown, altered, revoked and expired keys are rejected', async (t) => {
  const { db } = await testDatabase(t);
  const { key, keyId, organizationId } = await anAccount(db);
  const changed = key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');
  const unknown = key.replace(/_[0-9a-f]{16}_/, '_0123456789abcdef_');
  for (const wrong of ['', 'x', changed, unknown, `${key} `]) {
    t.is(await findAccountByKey(db, wrong), null);
  }
  const expiresAt = new Date(Date.now() - 1_000);
  const expired = await createKey(db, {
    ...{ organizationId, mode: 'test', actor: 'test' },
    expiresAt,
  });
  t.is(await findAccountByKey(db, expired.key), null);
  await revokeKey(db, keyId, 'test');
  t.is(await findAccountByKey(db, key), null);
});

test('keys that are no longer valid are rejected with the strongest reason', async (t) => {
  const { db } = await testDatabase(t);
  const [mine, other] = [await anAccount(db), await anAccount(db)];
  const past = new Date(Date.now() - 1_000);
  const key = async (organizationId: string, expiresAt: Date | null) => {
    const options = { organizationId, mode: 'live', actor: 'test' } as const;
    return (await createKey(db, { ...options, ...(expiresAt && { expiresAt }) })).keyId;
  };
  const expired = await key(mine.organizationId, past);
  const revoked = await key(mine.organizationId, past);
  await revokeKey(db, revoked, 'test');
  const lasting = await key(mine.organizationId, new Date(Date.now() + 60_000));
  const suspended = await key(other.organizationId, past);
  await revokeKey(db, suspended, 'test');
  await setSuspended(db, { ...other, actor: 'test', suspended: true });
  const requested = [mine.keyId, lasting, expired, revoked, suspended, other.keyId];
  t.deepEqual(Object.fromEntries(await endedKeys(db, requested)), {
    [expired]: 'expired',
    [revoked]: 'revoked',
    [suspended]: 'suspended',
    [other.keyId]: 'suspended',
  });
  t.is((await endedKeys(db, [])).size, 0);
});

test('a rotated key works for its grace period, and its successor has its limits', async (t) => {
  const { db } = await testDatabase(t);
  const { key, keyId, organizationId } = await anAccount(db);
  await limitKey(db, keyId, { limits: { requestsPerMinute: 7 }, actor: 'test' });
  const next = await rotateKey(db, keyId, { graceSeconds: 60, actor: 'test' });
  t.is((await findAccountByKey(db, key))?.keyId, keyId);
  t.deepEqual((await findAccountByKey(db, next.key))?.limits, {
    requestsPerMinute: 7,
    maxConcurrent: 64,
  });
  const once = rotateKey(db, keyId, { graceSeconds: 0, actor: 'test' });
  await t.throwsAsync(once, {
    name: 'HasSuccessor',
    message: /was rotated already and ends at 20/,
  });
  t.is((await findAccountByKey(db, key))?.keyId, keyId, 'as long as it was promised');
  await rotateKey(db, keyId, { graceSeconds: 0, actor: 'test', again: true });
  t.is(await findAccountByKey(db, key), null, 'the grace time is over');
  t.is((await listKeys(db, organizationId)).length, 3);
  await t.throwsAsync(rotateKey(db, 'key_none', { graceSeconds: 0, actor: 'test' }));
  const audit = await listAudit(db, { organizationId, limit: 10 });
  t.deepEqual(
    audit.map(({ action }) => action),
    ['key.rotate', 'key.rotate', 'key.limit', 'key.create', 'organization.create'],
  );
  t.false(JSON.stringify(audit).includes(next.key.slice(25)), 'no secret in the audit');
});

test('a successor expires when its predecessor would have, after any rotations', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId } = await anAccount(db);
  const expiresAt = new Date(Date.now() + 3_600_000);
  const created = {
    organizationId,
    mode: 'live',
    actor: 'test',
    name: 'trial',
    expiresAt,
  } as const;
  const first = await createKey(db, { ...created, limits: { maxConcurrent: 3 } });
  const rotate = ({ keyId }: { keyId: string }, graceSeconds: number) =>
    rotateKey(db, keyId, { graceSeconds, actor: 'test', again: true });
  const second = await rotate(first, 60);
  const third = await rotate(first, 7_200);
  const fourth = await rotate(second, 60);
  const keys = new Map((await listKeys(db, organizationId)).map((key) => [key.keyId, key]));
  for (const { keyId } of [third, fourth]) {
    t.deepEqual(keys.get(keyId)?.expiresAt, expiresAt);
    t.like(keys.get(keyId), { name: 'trial', maxConcurrent: 3 });
  }
  t.true(keys.get(first.keyId)!.expiresAt! < expiresAt, 'the grace time is not made longer');
  const endless = await createKey(db, { organizationId, mode: 'live', actor: 'test' });
  await rotate(endless, 60);
  const again = await rotate(endless, 60);
  const all = await listKeys(db, organizationId);
  t.is(all.find(({ keyId }) => keyId === again.keyId)?.expiresAt, null);
  await rotate(third, 0);
  await t.throwsAsync(rotate(third, 60), { message: /no valid key/ }, 'it has ended');
});

test('requests of a key are counted once each, and afresh after a minute', async (t) => {
  const { db } = await testDatabase(t);
  const counts = await Promise.all(Array.from({ length: 50 }, () => countRequest(db, 'k')));
  t.deepEqual(
    counts.map(({ used }) => used).sort((a, b) => a - b),
    Array.from({ length: 50 }, (_, i) => i + 1),
  );
  t.true(counts.every(({ secondsLeft }) => secondsLeft >= 1 && secondsLeft <= 60));
  await sql`UPDATE rate_windows SET began_at = began_at - interval '61 s'`.execute(db);
  t.is((await countRequest(db, 'k')).used, 1);
  t.is((await countRequest(db, 'other')).used, 1);
});
