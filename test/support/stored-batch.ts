// A batch in the database, for tests without workers.
import { admitItems } from '../../db/batch-items.ts';
import { beginBatch } from '../../db/batches.ts';
import { createBatch } from '../../db/create-batch.ts';
import type { Db } from '../../db/database.ts';
import { createFile } from '../../db/files.ts';
import { anAccount } from './database.ts';

/** A batch that has begun, of recordings of 1,000 bytes with these ids, all of them admitted. */
export async function aStoredBatch(db: Db, customIds: readonly string[]) {
  const account = await anAccount(db);
  const { organizationId, keyId } = account;
  const kept = { organizationId, lifetimeSeconds: 60, idempotencyKey: null, fingerprint: 'f' };
  const audio = { container: 'wav', bytes: 1_000, sha256: null } as const;
  const objectKey = 'uploads/call';
  const file = await createFile(db, { ...kept, objectKey, filename: 'call.wav', audio });
  const upload = { key: objectKey, container: 'wav', bytes: 1_000 } as const;
  const options = { diarize: true, numSpeakers: null, includeLogits: false, channelRoles: [] };
  const items = customIds.map((customId) => {
    return { customId, metadata: {}, fileId: file!.id, upload };
  });
  const asked = { task: 'analysis', model: 'svc-resonance' } as const;
  const request = { ...kept, ...asked, keyId, options, items };
  const made = await createBatch(db, { ...request, metadata: {}, webhookUrl: null });
  const batch = made!;
  await beginBatch(db, batch.id);
  await admitItems(db, batch, { from: 0, to: items.length, ratePerMinute: 0 });
  const refs = items.map((_, position) => {
    return { organizationId, requestId: `${batch.id} ${position}`, attempt: 1 };
  });
  return { batch, refs, organizationId, account };
}
