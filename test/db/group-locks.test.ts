// Steps that reserve, settle and end the same items at the same moment, each in its own order: none
// of them waits for one that waits for it.
import test from 'ava';
import { discardBatch } from '../../db/batch-deletion.ts';
import { endOpenItems } from '../../db/batch-items.ts';
import { batchById } from '../../db/batches.ts';
import { closeBatch } from '../../db/close-batch.ts';
import type { ObjectStore } from '../../db/objects/object-store.ts';
import { reserveAll, settleAll } from '../../db/settlement.ts';
import { testDatabase } from '../support/database.ts';
import { aStoredBatch } from '../support/stored-batch.ts';

const rounds = 25;
const ids = Array.from({ length: 60 }, (_, i) => `call-${i}`);
const objects = {
  deletePrefix: () => Promise.resolve(),
  delete: () => Promise.resolve(),
} as unknown as ObjectStore;

/** In turns, from the end and from the middle. */
function turned<T>(values: readonly T[], round: number): readonly T[] {
  const cut = (7 * round) % values.length;
  const rest = [...values.slice(cut), ...values.slice(0, cut)];
  return round % 2 === 0 ? rest.toReversed() : rest;
}

test('items are reserved, settled, ended and deleted at once, without a deadlock', async (t) => {
  const { db } = await testDatabase(t);
  for (let round = 0; round < rounds; round += 1) {
    const { batch, refs, organizationId } = await aStoredBatch(db, ids);
    const group = (order: number) => ({
      organizationId,
      attempts: turned(refs, order).map((ref) => ({ ...ref, seconds: 1 })),
    });
    const positions = turned([...ids.keys()], round).slice(0, 40);
    const end = { state: 'failed', code: 'internal_error', message: 'It broke.' } as const;
    await Promise.all([reserveAll(db, group(round)), reserveAll(db, group(round + 1))]);
    await Promise.all([
      settleAll(db, group(round + 2)),
      settleAll(db, group(round + 5)),
      endOpenItems(db, batch.id, { ...end, positions }),
      closeBatch(db, batch.id, 'failed'),
    ]);
    const ended = (await batchById(db, batch.id))!;
    await Promise.all([
      settleAll(db, group(round + 3)),
      closeBatch(db, batch.id, 'cancelled'),
      discardBatch({ db, objects }, ended),
      discardBatch({ db, objects }, ended),
    ]);
    t.is(await batchById(db, batch.id), null);
  }
});
