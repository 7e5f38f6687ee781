// A batch of stored clips in the database, for tests of activities alone.
import { admitItems } from '../../db/batch-items.ts';
import { createBatch } from '../../db/create-batch.ts';
import type { StoredBatch } from '../../db/batch-tables.ts';
import { createFile } from '../../db/files.ts';
import type { Db } from '../../db/database.ts';
import type { ObjectStore } from '../../db/objects/object-store.ts';
import { anAccount } from './database.ts';

const batchOptions = {
  ...{ diarize: false, numSpeakers: null, includeLogits: false, channelRoles: [] },
} as const;

/** A batch with an item for each file, all of which are open. */
export async function aBatch(
  db: Db,
  objects: ObjectStore,
  files: readonly Buffer[],
): Promise<StoredBatch> {
  const { organizationId, keyId } = await anAccount(db);
  const common = { organizationId, lifetimeSeconds: 3_600, idempotencyKey: null, fingerprint: 'f' };
  const items = await Promise.all(
    files.map(async (content, position) => {
      const objectKey = `uploads/${position}`;
      const { bytes, sha256 } = await objects.putStream(objectKey, [content] as never);
      const audio = { container: 'wav', bytes, sha256 } as const;
      const file = await createFile(db, { ...common, objectKey, filename: 'clip', audio });
      const upload = { key: objectKey, container: audio.container, bytes, sha256 };
      return { metadata: {}, fileId: file!.id, upload, customId: `${position}` };
    }),
  );
  const request = { task: 'transcription', model: 'svc-resonance', metadata: {} } as const;
  const whole = { ...common, ...request, options: batchOptions, keyId, webhookUrl: null, items };
  const batch = (await createBatch(db, whole))!;
  await admitItems(db, batch, { from: 0, to: items.length, ratePerMinute: 0 });
  return batch;
}
