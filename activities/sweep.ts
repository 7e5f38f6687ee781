// Cleans up after crashes: abandoned requests, orphaned sessions, batches and objects.
import { sweepBucket } from '../db/bucket-sweep.ts';
import { pruneDecodes } from '../db/decodes.ts';
import { ownPrefixes, idHash } from '../db/object-keys.ts';
import { expiredObjects, deleteObjectRows, uploadsOfEndedRequests } from '../db/objects.ts';
import { eachRow } from '../db/pages.ts';
import { staleRequests, type OpenRequest } from '../db/requests.ts';
import { pruneRows } from '../db/retention.ts';
import { sweepLateWrites } from '../db/late-writes.ts';
import { closeSession, orphanedSessions } from '../db/sessions.ts';
import { sweepTombstones } from '../db/upload-tombstones.ts';
import { recordSweep } from '../db/upkeep-report.ts';
import { requestWorkflowId } from '../workflows/ids.ts';
import { reconcileBatches } from './batches/reconcile-batches.ts';
import { recordFailure } from './record-failure.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { runActivity } from './run-activity.ts';

/** A workflow starts milliseconds after its request is claimed, so this is long past. */
const staleRequestSeconds = 60;

/**
 * What an open request needs is kept as well, however old it is. A result has to outlive an API
 * that is still answering.
 */
export const objectLifetimeSeconds = {
  upload: 4 * 3_600,
  work: 4 * 3_600,
  result: 900,
} as const;

const openUploadLifetimeMs = 3_600_000;

/** @throws when it is aborted, because another pass has started by then */
type Step = (dependencies: ActivityDependencies, signal: AbortSignal) => Promise<unknown>;

const steps: readonly Step[] = [
  failAbandoned,
  closeOrphanedSessions,
  reconcileBatches,
  deleteExpired('upload'),
  deleteExpired('work'),
  deleteExpired('result'),
  deleteEndedUploads,
  sweepTombstones,
  sweepLateWrites,
  ({ db }) => pruneDecodes(db),
  ({ db }) => pruneRows(db),
  (dependencies) => sweepBucket(dependencies),
  ({ objects }) => objects.abortUploads(ownPrefixes, new Date(Date.now() - openUploadLifetimeMs)),
  ({ db }) => recordSweep(db),
];

/** One pass over all. */
export function sweep(dependencies: ActivityDependencies): Promise<void> {
  return runActivity(async ({ signal }) => {
    for (const step of steps) {
      signal.throwIfAborted();
      await step(dependencies, signal);
    }
  });
}

/** A request without its workflow can only be sent again, so it ends as a server error. */
async function failAbandoned(
  dependencies: ActivityDependencies,
  signal: AbortSignal,
): Promise<void> {
  const { db, workflowState } = dependencies;
  const readAfter = (after: OpenRequest | null) =>
    staleRequests(db, { olderThanSeconds: staleRequestSeconds, after });
  for await (const request of eachRow(readAfter)) {
    signal.throwIfAborted();
    const hash = idHash(request.requestId);
    const state = await workflowState(requestWorkflowId(request.organizationId, hash));
    if (state === 'running') continue;
    const message = 'The analysis ended before it was finished; the request may be sent again.';
    await recordFailure(dependencies, request, { code: 'internal_error', message, param: null });
  }
}

/** Their workflow should have closed them; it is gone or has no worker. */
async function closeOrphanedSessions({ db }: ActivityDependencies): Promise<void> {
  const orphaned = await orphanedSessions(db, { olderThanSeconds: staleRequestSeconds });
  for (const { organizationId, sessionId } of orphaned) {
    await closeSession(db, organizationId, sessionId);
  }
}

function deleteExpired(kind: keyof typeof objectLifetimeSeconds): Step {
  return async ({ db, objects }, signal) => {
    const keys = await expiredObjects(db, { kind, olderThanSeconds: objectLifetimeSeconds[kind] });
    for (const key of keys) {
      signal.throwIfAborted();
      await (kind === 'work' ? objects.deletePrefix(key) : objects.delete([key]));
    }
    await deleteObjectRows(db, keys);
  };
}

/** The API deletes the upload of a clip after its answer; it may have crashed before. */
async function deleteEndedUploads({ db, objects }: ActivityDependencies): Promise<void> {
  const keys = await uploadsOfEndedRequests(db, { olderThanSeconds: objectLifetimeSeconds.result });
  await objects.delete(keys);
  await deleteObjectRows(db, keys);
}
