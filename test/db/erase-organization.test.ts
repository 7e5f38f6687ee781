// Whom a pass of the sweeper erases: the marked ones that are still suspended.
import test from 'ava';
import { createKey } from '../../db/api-keys.ts';
import { eraseMarked, eraseOrganization } from '../../db/erase-organization.ts';
import { setSuspended } from '../../db/organizations.ts';
import { anAccount, testDatabase } from '../support/database.ts';

test('an organization that an earlier version resumed is not erased again', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId } = await anAccount(db);
  const change = { organizationId, actor: 'test' };
  await setSuspended(db, { ...change, suspended: true });
  await eraseOrganization(db, change);
  // It knows no mark: neither its resuming nor its new key looks at one.
  await db.updateTable('organizations').set({ suspended: false }).execute();
  await db.updateTable('apiKeys').set({ name: 'new', revokedAt: null }).execute();
  const key = () => db.selectFrom('apiKeys').select(['name', 'revokedAt']).executeTakeFirst();

  await eraseMarked(db);
  t.deepEqual(await key(), { name: 'new', revokedAt: null });
  await setSuspended(db, { ...change, suspended: true });
  await eraseMarked(db);
  t.deepEqual(await key(), { name: 'new', revokedAt: null }, 'suspended, but not erased');

  await eraseOrganization(db, change);
  await setSuspended(db, { ...change, suspended: true });
  t.truthy((await key())!.revokedAt);
  await eraseMarked(db);
  await t.throwsAsync(createKey(db, { ...change, mode: 'live' }), { message: /is erased/ });
});
