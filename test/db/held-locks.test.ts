// What an organization's requests wait for: a statement beside those that lock is a round trip to a
// database that may be far away, while others of the organization wait.
import test from 'ava';
import { queriesOver } from '../../db/database.ts';
import { balanceOf } from '../../db/balance.ts';
import { claimRequest } from '../../db/requests.ts';
import { reserve, settle } from '../../db/settlement.ts';
import { anAccount, testDatabase, testPool } from '../support/database.ts';

test('a request is reserved and settled by one statement each', async (t) => {
  const { db, url } = await testDatabase(t);
  const { organizationId, keyId } = await anAccount(db, { allowanceSeconds: 100 });
  const rest = { fingerprint: 'f', task: 'affect', model: 'svc-resonance-2', uploadKey: 'u' };
  const claim = { organizationId, keyId, ratePerMinute: 6_000, ...rest };
  const pool = testPool(t, url, { max: 1 });
  let statements = 0;
  const counted = queriesOver(pool, () => {
    statements += 1;
  });
  const counts = async (requestId: string): Promise<readonly number[]> => {
    await claimRequest(db, { ...claim, requestId });
    const ref = { organizationId, requestId, attempt: 1 };
    statements = 0;
    await reserve(counted, ref, 10);
    const reserving = statements;
    await settle(counted, ref, 10);
    return [reserving, statements - reserving];
  };
  t.deepEqual(await counts('first'), [1, 1]);
  t.deepEqual(await counts('second'), [1, 1]);
  t.is((await balanceOf(db, organizationId)).usedSeconds, 20);
});
