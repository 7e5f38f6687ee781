// The plan of a batch whose items name a file that has killed a decoder.
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { planBatch } from '../../../activities/batches/plan-batch.ts';
import type { WorkerMetrics } from '../../../activities/metrics.ts';
import { readItems } from '../../../db/batch-items.ts';
import { createBatch } from '../../../db/create-batch.ts';
import { quarantine } from '../../../db/decodes.ts';
import { createFile } from '../../../db/files.ts';
import type { BatchPlan } from '../../../workflows/types.ts';
import { anAccount, testDatabase } from '../../support/database.ts';

const total = 400;
const large = 5_000_000;

test('its items end with the plan: none of them becomes work', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId, keyId } = await anAccount(db);
  const common = { organizationId, lifetimeSeconds: 3_600, idempotencyKey: null, fingerprint: 'f' };
  const aFile = async (objectKey: string, sha256: string | null) => {
    const audio = { container: 'flac', bytes: large, sha256 } as const;
    const file = await createFile(db, { ...common, objectKey, filename: objectKey, audio });
    const upload = { key: objectKey, container: audio.container, bytes: audio.bytes };
    return { metadata: {}, fileId: file!.id, upload };
  };
  const [bomb, twin, good] = await Promise.all([
    aFile('uploads/bomb', null),
    aFile('uploads/twin', 'a'.repeat(64)),
    aFile('uploads/good', 'b'.repeat(64)),
  ]);
  const items = Array.from({ length: total }, (_, i) => {
    const file = i === 7 || i === total - 1 ? good : i % 2 === 0 ? bomb : twin;
    return { ...file, customId: `${i}` };
  });
  const plain = { diarize: false, numSpeakers: null, includeLogits: false };
  const options = { ...plain, channelRoles: [] };
  const request = { task: 'emotion', model: 'svc-resonance', options, metadata: {} } as const;
  const whole = { ...common, ...request, keyId, webhookUrl: null, items };
  const batch = (await createBatch(db, whole))!;
  const verdict = { code: 'audio_undecodable', message: 'It killed its decoder.' };
  const contents = ['object:uploads/bomb', `sha256:${'a'.repeat(64)}`];
  await quarantine(db, organizationId, { contents, verdict });

  const counted: Record<string, number> = {};
  const failed: WorkerMetrics['failed'] = ({ code, count = 1 }) => {
    counted[code] = (counted[code] ?? 0) + count;
  };
  const metrics = { failed } as WorkerMetrics;
  const environment = new MockActivityEnvironment();
  const input = { organizationId, batchId: batch.id, total, next: 0, works: 20 };
  const plan = (await environment.run(() => planBatch({ db, metrics }, input))) as BatchPlan;

  t.is(plan.next, total);
  t.deepEqual(
    plan.works.map((work) => (work.kind === 'recording' ? work.position : work)),
    [7, total - 1],
  );
  const planned = await readItems(db, batch.id, { from: 0, to: total });
  t.deepEqual(
    planned.filter(({ status }) => status !== 'failed').map(({ position }) => position),
    [7, total - 1],
  );
  t.deepEqual(counted, { [verdict.code]: total - 2 });
  t.deepEqual(planned[0]!.error, { ...verdict, param: 'file' });
});
