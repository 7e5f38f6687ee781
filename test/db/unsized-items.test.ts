// A batch of addresses: what is left of it is estimated before all its recordings are fetched.
import test from 'ava';
import { toBatchBody } from '../../api/batches/response.ts';
import { countItems } from '../../db/batch-counts.ts';
import { admitItems, endOpenItems } from '../../db/batch-items.ts';
import { batchById, beginBatch } from '../../db/batches.ts';
import { createBatch } from '../../db/create-batch.ts';
import type { Db } from '../../db/database.ts';
import { reserve, settle } from '../../db/settlement.ts';
import { storeFetched } from '../../db/source-files.ts';
import { anAccount, testDatabase } from '../support/database.ts';

const total = 100;
const seconds = 60;
const audio = { container: 'wav', bytes: 1_000_000, sha256: 'a'.repeat(64) } as const;

/** A batch of addresses that has begun, none of them fetched. */
async function aBatchOfAddresses(db: Db) {
  const { organizationId, keyId } = await anAccount(db);
  const request = {
    ...({ task: 'emotion', model: 'svc-fourier' } as const),
    ...{ organizationId, keyId, metadata: {} },
    options: { diarize: false, numSpeakers: null, includeLogits: false, channelRoles: [] },
    ...{ webhookUrl: null, lifetimeSeconds: 60, idempotencyKey: null, fingerprint: 'f' },
  };
  const items = Array.from({ length: total }, (_, i) => {
    const [fileId, key] = [`file-${i}`, `sources/${i}`];
    const source = { url: `https://example.com/${i}.wav`, filename: `${i}.wav` };
    return { customId: `${i}`, metadata: {}, fileId, upload: { key, fileId }, source };
  });
  const { id: batchId } = (await createBatch(db, { ...request, items }))!;
  await beginBatch(db, batchId);
  const batch = (await batchById(db, batchId))!;
  await admitItems(db, batch, { from: 0, to: total, ratePerMinute: 0 });
  const fetched = (i: number) =>
    storeFetched(db, { id: `file-${i}`, organizationId, objectKey: `uploads/${i}`, audio });
  const analysed = async (i: number) => {
    const ref = { organizationId, requestId: `${batchId} ${i}`, attempt: 1 };
    await reserve(db, ref, seconds);
    await settle(db, ref, seconds);
  };
  return { batch, fetched, analysed };
}

test('recordings that are not fetched yet count as much as the others', async (t) => {
  const { db } = await testDatabase(t);
  const { batch, fetched, analysed } = await aBatchOfAddresses(db);
  const startedMs = batch.inProgressAt!.getTime();
  const body = async () => {
    const now = (await batchById(db, batch.id))!;
    return toBatchBody(now, await countItems(db, now), startedMs + 10_000);
  };
  const endsInSeconds = async () =>
    (await body()).estimated_completion_at! - Math.round((startedMs + 10_000) / 1_000);
  t.is((await body()).audio_seconds.left, null);
  for (const i of [0, 1, 2]) await fetched(i);
  for (const i of [0, 1]) await analysed(i);
  t.is((await body()).audio_seconds.left, 98 * seconds);
  t.true(Math.abs((await endsInSeconds()) - 490) <= 1, 'ten seconds for each two');

  // One cannot be fetched: nothing of it is left.
  const failure = { code: 'source_rejected', message: 'It is not there.', positions: [3] };
  await endOpenItems(db, batch.id, { state: 'failed', ...failure });
  t.is((await body()).audio_seconds.left, 97 * seconds);

  for (let i = 4; i < total; i += 1) await fetched(i);
  t.is((await body()).audio_seconds.left, 97 * seconds, 'all are known');
});

test('where nothing tells how large one is, nothing is estimated', async (t) => {
  const { db } = await testDatabase(t);
  const { batch, fetched, analysed } = await aBatchOfAddresses(db);
  for (const i of [0, 1]) await fetched(i);
  await analysed(0);
  // A worker of the version before does not count down what it fetches.
  const now = { ...(await batchById(db, batch.id))!, unsizedItems: total };
  const { audio_seconds: audio, estimated_completion_at: end } = toBatchBody(
    now,
    await countItems(db, now),
    Date.now(),
  );
  t.deepEqual([audio.left, end], [null, null]);
});
