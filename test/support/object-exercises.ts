// Calls every function of db/ that queries the rows of objects once (see query-exercises.ts).
import { databaseTime } from '../../db/database.ts';
import { recordLateWrite, sweepLateWrites } from '../../db/late-writes.ts';
import type { ObjectStore } from '../../db/objects/object-store.ts';
import * as objects from '../../db/object-rows.ts';
import { findBatchesByKey } from '../../db/request-lookup.ts';
import { readPosition, writePosition } from '../../db/sweep-positions.ts';
import { recordTombstones, sweepTombstones } from '../../db/upload-tombstones.ts';
import type { Exercise } from './account-exercises.ts';
import { largeIds } from './large-database.ts';

/** The organization that owns half of all rows. */
const organizationId = largeIds.organization(0);

/** A bucket of one orphan, in which nothing is deleted. */
export const noObjects = {
  ping: async () => {},
  list: async () => [],
  listPage: async () => [
    { key: `uploads/${organizationId}/${crypto.randomUUID()}`, modifiedAt: new Date(0) },
  ],
  delete: async () => {},
  deletePrefix: async () => {},
  abortUploads: async () => {},
} as unknown as ObjectStore;

/** A position of the sweep. */
const swept = '["2026-01-01 00:00:00+00","uploads/x"]';

export const objectExercises: Readonly<Record<string, Exercise>> = {
  registerObject: (db) =>
    objects.registerObject(db, { key: 'uploads/y', organizationId, kind: 'upload' }),
  deleteObjectRows: (db) => objects.deleteObjectRows(db, ['uploads/y', 'uploads/z']),
  expiredObjects: (db) =>
    objects.expiredObjects(db, { kind: 'upload', olderThanSeconds: 14_400, after: swept }),
  findOrphans: (db) =>
    objects.findOrphans(db, [`uploads/${organizationId}/${crypto.randomUUID()}`]),
  uploadsOfEndedRequests: (db) =>
    objects.uploadsOfEndedRequests(db, { olderThanSeconds: 900, after: swept }),
  recordTombstones: (db) =>
    recordTombstones(db, [
      {
        ...{ objectKey: 'uploads/late', organizationId, bytes: 1 },
        ...{ reservedBytes: 1, uploadExpiresAt: new Date(Date.now() + 60_000) },
      },
    ]),
  recordLateWrite: (db) => recordLateWrite(db, { key: 'uploads/late', organizationId }),
  sweepLateWrites: (db) => sweepLateWrites({ db, objects: noObjects }, AbortSignal.any([])),
  databaseTime,
  findBatchesByKey: (db) => findBatchesByKey(db, 'monday'),
  readPosition: (db) => readPosition(db, 'expired upload'),
  writePosition: (db) => writePosition(db, 'expired upload', 'uploads/x'),
  sweepTombstones: (db) => sweepTombstones({ db, objects: noObjects }),
};
