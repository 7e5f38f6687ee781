// How far long items have come: parts that run at the same time add up, late reports change
// nothing, and batches count what is done of the items in progress.
import test from 'ava';
import { toBatchBody, toItemBody } from '../../api/batches/response.ts';
import { countItems } from '../../db/batch-counts.ts';
import { readItems } from '../../db/batch-items.ts';
import { batchById } from '../../db/batches.ts';
import type { Db } from '../../db/database.ts';
import { noteProgress, type ItemStep } from '../../db/item-progress.ts';
import { reserve, settle } from '../../db/settlement.ts';
import { itemStages, stageRange } from '../../models/contract/item-progress.ts';
import { testDatabase } from '../support/database.ts';
import { aStoredBatch } from '../support/stored-batch.ts';

test('the stages cover the whole, with speakers and without', (t) => {
  for (const diarize of [true, false]) {
    const stages = itemStages.filter((stage) => diarize || stage !== 'diarizing');
    let end = 0;
    for (const stage of stages) {
      const { from, to } = stageRange(stage, { diarize });
      t.is(from, end, stage);
      t.true(to >= from);
      end = to;
    }
    t.true(Math.abs(end - 1) < 1e-9);
  }
});

/** A batch of two recordings of 1,000 bytes, the first of which is being analysed. */
async function aRunningBatch(db: Db) {
  const { batch, refs } = await aStoredBatch(db, ['long', 'next']);
  await reserve(db, refs[0]!, 600);
  return { batch, ref: refs[0]! };
}

test('parts of a stage add up; late reports of an earlier stage change nothing', async (t) => {
  const { db } = await testDatabase(t);
  const { batch, ref } = await aRunningBatch(db);
  const note = (stage: ItemStep['stage'], part: number, share: number) =>
    noteProgress(db, {
      ...{ batchId: batch.id, position: 0, stage, range: stageRange(stage, { diarize: true }) },
      ...{ done: { part, share }, audioSeconds: stage === 'opening' ? null : 600 },
    });
  const progress = async () => {
    const items = await readItems(db, batch.id, { from: 0, to: 2 });
    return items.map((item) => toItemBody(item).progress);
  };
  const whole = async () => {
    const now = (await batchById(db, batch.id))!;
    return toBatchBody(now, await countItems(db, now), Date.now());
  };
  t.deepEqual(await progress(), [null, null]);
  t.like(await whole(), { progress: 0, audio_seconds: { done: 0, left: null } });

  await note('opening', 0, 0);
  t.deepEqual(await progress(), [{ stage: 'opening', share: 0 }, null]);
  await note('diarizing', 0, 0.5);
  t.deepEqual(await progress(), [{ stage: 'diarizing', share: 0.26 }, null]);
  await note('analyzing', 0, 0.25);
  await note('analyzing', 1, 0.25);
  await note('analyzing', 1, 0.25);
  await note('diarizing', 0, 1);
  t.deepEqual(await progress(), [{ stage: 'analyzing', share: 0.72 }, null]);
  const body = await whole();
  t.is(body.progress, 0.36, 'of two items');
  t.is(body.audio_seconds.left, 768, 'as much audio per byte as in what is done');
  t.true(body.estimated_completion_at! >= Date.now() / 1_000 - 1);

  await settle(db, ref, 600);
  t.deepEqual(await progress(), [null, null], 'what has ended is not in progress');
  t.like(await whole(), { progress: 0.5, audio_seconds: { done: 600, left: 600 } });
});

test('a batch that is deleted meanwhile is no reason to fail twice', async (t) => {
  const { db } = await testDatabase(t);
  const range = stageRange('opening', { diarize: false });
  const step = { batchId: 'batch_gone', position: 0, stage: 'opening', range } as const;
  const done = { part: 0, share: 0 };
  await t.throwsAsync(noteProgress(db, { ...step, done, audioSeconds: null }), {
    message: /foreign key/,
  });
});
