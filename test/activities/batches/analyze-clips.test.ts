// A group of small items whose file turns out to be longer than a clip.
import { tmpdir } from 'node:os';
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { analyzeClips } from '../../../activities/batches/analyze-clips.ts';
import type { Decoder } from '../../../activities/decoder/decoder.ts';
import type { ActivityDependencies } from '../../../activities/dependencies.ts';
import { admitItems } from '../../../db/batch-items.ts';
import { createBatch } from '../../../db/create-batch.ts';
import { createFile } from '../../../db/files.ts';
import { sampleRate } from '../../../models/audio/sample-rate.ts';
import { createPaces } from '../../../bin/process/worker-capacity.ts';
import { createFairSemaphore } from '../../../models/fairness/fair-semaphore.ts';
import type { ClipGroupOutcome } from '../../../workflows/types.ts';
import { anAccount, testDatabase } from '../../support/database.ts';
import { createFakePool } from '../../support/fake-pool.ts';
import { testObjectStore } from '../../support/object-store.ts';

const total = 60;
const groupItems = 20;
const seconds = 3_000;

/** Every file is a recording of fifty minutes. */
function endlessDecoder(): Pick<Decoder, 'decode'> & { readonly decodes: () => number } {
  let decodes = 0;
  return {
    decodes: () => decodes,
    decode: async ({ onPcm }) => {
      decodes += 1;
      for (let at = 0; at < seconds; at += 4) await onPcm(new Int16Array(4 * sampleRate));
      throw new Error('nobody stopped it');
    },
  };
}

test('items that name one long file are not decoded one after the other', async (t) => {
  const [{ db }, objects] = await Promise.all([testDatabase(t), testObjectStore(t)]);
  const { organizationId, keyId } = await anAccount(db);
  const common = { organizationId, lifetimeSeconds: 3_600, idempotencyKey: null, fingerprint: 'f' };
  const objectKey = 'uploads/long';
  const { bytes, sha256 } = await objects.putStream(objectKey, [Buffer.alloc(1_000)] as never);
  const audio = { container: 'flac', bytes, sha256 } as const;
  const file = await createFile(db, { ...common, objectKey, filename: 'long', audio });
  const upload = { key: objectKey, container: audio.container, bytes };
  const items = Array.from({ length: total }, (_, i) => {
    return { metadata: {}, fileId: file!.id, upload, customId: `${i}` };
  });
  const options = { diarize: false, numSpeakers: null, includeLogits: false, channelRoles: [] };
  const request = { task: 'emotion', model: 'svc-resonance', options, metadata: {} } as const;
  const whole = { ...common, ...request, keyId, webhookUrl: null, items };
  const batch = (await createBatch(db, whole))!;
  await admitItems(db, batch, { from: 0, to: total, ratePerMinute: 0 });
  const decoder = endlessDecoder();
  const dependencies = {
    ...{ db, objects, decoder, pool: createFakePool(), priority: 3, metrics: {} },
    ...{ temporaryDirectory: tmpdir(), spans: createFairSemaphore(4), ...createPaces() },
  } as unknown as ActivityDependencies;

  const long: number[] = [];
  for (let from = 0; from < total; from += groupItems) {
    const group = { batchId: batch.id, from, to: from + groupItems };
    const environment = new MockActivityEnvironment();
    const analyze = () => analyzeClips(dependencies, group);
    const outcome = (await environment.run(analyze)) as ClipGroupOutcome;
    long.push(...outcome.long.map(({ position }) => position));
  }

  t.deepEqual(
    long.toSorted((a, b) => a - b),
    Array.from({ length: total }, (_, i) => i),
  );
  // Those that were begun at the same time, before anybody knew.
  t.true(decoder.decodes() <= 3, `${decoder.decodes()} decodes`);
});
