// What an organization's requests wait for: the statements between its locks and the commit, each
// of which is a round trip to a database that may be far away.
import pg from 'pg';
import test from 'ava';
import { columnTypes } from '../../db/column-types.ts';
import { queriesOver } from '../../db/database.ts';
import { claimRequest } from '../../db/requests.ts';
import { reserve, settle } from '../../db/settlement.ts';
import { anAccount, testDatabase } from '../support/database.ts';

test('one statement follows a reservation in its transaction, and none a debit', async (t) => {
  const { db, url } = await testDatabase(t);
  const { organizationId, keyId } = await anAccount(db, { allowanceSeconds: 100 });
  const rest = { fingerprint: 'f', task: 'affect', model: 'svc-resonance-2', uploadKey: 'u' };
  const requestId = 'a';
  await claimRequest(db, { organizationId, keyId, requestId, ratePerMinute: 6_000, ...rest });
  const pool = new pg.Pool({ connectionString: url, types: columnTypes, max: 1 });
  const statements: string[] = [];
  const logged = queriesOver(pool, ({ query }) => {
    statements.push(query.sql);
  });
  t.teardown(() => logged.destroy());
  const ref = { organizationId, requestId, attempt: 1 };
  const followers = (): readonly string[] => {
    const isLocking = (text: string): boolean => /FOR NO KEY UPDATE|INSERT INTO ledger/i.test(text);
    const first = statements.findIndex(isLocking);
    t.true(first >= 0);
    t.is(statements.pop(), 'commit');
    return statements.splice(0).slice(first + 1);
  };
  await reserve(logged, ref, 10);
  t.is(followers().length, 1, 'the balance, which has to see the entry');
  await settle(logged, ref, 10);
  t.deepEqual(followers(), []);
});
