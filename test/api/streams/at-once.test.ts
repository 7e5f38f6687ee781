// Streams that are opened at the same moment share what the account has left.
import type { Client } from '@temporalio/client';
import test from 'ava';
import { createStreamRegistry } from '../../../api/streams/registry.ts';
import { admitStream } from '../../../api/streams/requests.ts';
import { lockOrganization } from '../../../db/balance.ts';
import type { Db } from '../../../db/database.ts';
import { untilBlocked } from '../../support/blocked.ts';
import { anAccount, testDatabase } from '../../support/database.ts';

/** Seconds that each of the streams covers, or why it was rejected, from the most to the least. */
async function openAtOnce(db: Db, allowanceSeconds: number, streams: number) {
  const { organizationId, keyId } = await anAccount(db, { allowanceSeconds });
  const registry = createStreamRegistry();
  const services = { db, client: {} as Client, taskQueue: 'q', hostQueue: 'h', registry };
  const open = (requestId: string) =>
    admitStream(services, {
      ...{ organizationId, keyId, requestId, task: 'transcription', model: 'svc-svceet' },
      ...{ plan: 'subscription', redaction: null, ticket: null, maxSeconds: 60 },
      onCancel: () => {},
    }).then(
      ({ coveredSeconds }) => `${coveredSeconds}`,
      (error: { readonly code: string }) => error.code,
    );
  // Each has read what is left when the first may reserve.
  const { opened } = await db.transaction().execute(async (holding) => {
    await lockOrganization(holding, organizationId);
    const all = Array.from({ length: streams }, (_, i) => open(`stream-${i}`));
    await untilBlocked(db, streams);
    return { opened: Promise.all(all) };
  });
  return (await opened).toSorted().toReversed();
}

test('the slower one covers what the faster one leaves', async (t) => {
  const { db } = await testDatabase(t);
  t.deepEqual(await openAtOnce(db, 100, 2), ['60', '40']);
  t.deepEqual(await openAtOnce(db, 100, 3), ['allowance_exhausted', '60', '40']);
});
