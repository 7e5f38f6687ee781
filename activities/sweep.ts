// Cleans up after crashes: abandoned requests, orphaned sessions, batches and objects.
import { log } from '@temporalio/activity';
import { sweepBucket } from '../db/bucket-sweep.ts';
import { databaseTime, type Db } from '../db/database.ts';
import { pruneDecodes } from '../db/decodes.ts';
import { eraseMarked } from '../db/erase-organization.ts';
import { idHash } from '../db/object-keys.ts';
import { ownPrefixes } from '../db/objects/bucket.ts';
import {
  expiredObjects,
  deleteObjectRows,
  uploadsOfEndedRequests,
  type OwnedKey,
  type SweptPage,
} from '../db/object-rows.ts';
import { staleRequests } from '../db/requests.ts';
import { pruneRows } from '../db/retention.ts';
import { recordLateWrite, sweepLateWrites } from '../db/late-writes.ts';
import { closeSession, orphanedSessions } from '../db/sessions.ts';
import { readPosition, writePosition } from '../db/sweep-positions.ts';
import { sweepTombstones } from '../db/upload-tombstones.ts';
import { recordSweep } from '../db/upkeep-report.ts';
import { requestWorkflowId } from '../workflows/ids.ts';
import {
  deleteExpiredBatches,
  deleteExpiredFiles,
  reconcileBatches,
} from './batches/reconcile-batches.ts';
import { recordFailure } from './record-failure.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { runActivity } from './run-activity.ts';
import { runSweepPass, type SweepPass } from './sweep-pass.ts';
import { walkRows } from './walk-rows.ts';

/** A workflow starts milliseconds after its request is claimed, so this is long past. */
const staleRequestSeconds = 60;

/**
 * What an open request needs is kept as well, however old it is: other working objects are those of
 * a workflow that was terminated. A result has to outlive an API that is still answering.
 */
export const objectLifetimeSeconds = {
  upload: 4 * 3_600,
  work: 60,
  result: 900,
} as const;

const openUploadLifetimeMs = 3_600_000;

type Step = (dependencies: ActivityDependencies, pass: SweepPass) => Promise<unknown>;

type Steps = Readonly<Record<string, Step>>;

const rowSteps: Steps = {
  failAbandoned,
  closeOrphanedSessions,
  reconcileBatches,
  eraseMarked: ({ db }) => eraseMarked(db),
  pruneDecodes: ({ db }) => pruneDecodes(db),
  pruneRows: ({ db }) => pruneRows(db),
};

const objectSteps: Steps = {
  deleteExpiredBatches,
  deleteExpiredFiles,
  deleteExpiredUploads: deleteExpired('upload'),
  deleteExpiredWork: deleteExpired('work'),
  deleteExpiredResults: deleteExpired('result'),
  // The API deletes the upload of a clip after its answer; it may have crashed before.
  deleteEndedUploads: deleteNext('ended uploads', (db, after) =>
    uploadsOfEndedRequests(db, { olderThanSeconds: objectLifetimeSeconds.result, after }),
  ),
  sweepTombstones,
  sweepLateWrites: (dependencies, { signal }) => sweepLateWrites(dependencies, signal),
  sweepBucket: (dependencies) => sweepBucket(dependencies),
  abortUploads: async ({ db, objects }) => {
    const now = await databaseTime(db);
    await objects.abortUploads(ownPrefixes, new Date(now.getTime() - openUploadLifetimeMs));
  },
};

/** One pass over all; one that leaves something behind does not count as made. */
export function sweep(dependencies: ActivityDependencies): Promise<void> {
  return runActivity(({ signal }) =>
    runSweepPass(signal, async (pass) => {
      const perform = async (steps: Steps): Promise<void> => {
        for (const [name, step] of Object.entries(steps)) {
          await pass.attempt(name, () => step(dependencies, pass));
        }
      };
      await perform(rowSteps);
      // Each deletion would wait for storage that is down, and no other pass runs meanwhile.
      const isUp = await pass.attempt('object storage', () => dependencies.objects.ping());
      if (isUp) await perform(objectSteps);
      if (!pass.hasFailed()) await recordSweep(dependencies.db);
    }),
  );
}

/** A request without its workflow can only be sent again, so it ends as a server error. */
async function failAbandoned(dependencies: ActivityDependencies, pass: SweepPass): Promise<void> {
  const { db, workflowState } = dependencies;
  await walkRows(db, {
    position: 'stale requests',
    readAfter: (after) => staleRequests(db, { olderThanSeconds: staleRequestSeconds, after }),
    work: (request) =>
      pass.attempt(`request ${request.requestId}`, async () => {
        const { organizationId, requestId, attempt } = request;
        const workflow = await workflowState(requestWorkflowId(organizationId, idHash(requestId)));
        if (workflow === 'running') return;
        const message = 'The analysis ended before it was finished; the request may be sent again.';
        const failure = { code: 'internal_error', message, param: null } as const;
        if (!(await recordFailure(dependencies, request, failure))) return;
        log.error('the sweeper ended a request', { organizationId, requestId, attempt, workflow });
      }),
  });
}

/** Their workflow should have closed them; it is gone or has no worker. */
async function closeOrphanedSessions({ db }: ActivityDependencies, pass: SweepPass): Promise<void> {
  const orphaned = await orphanedSessions(db, { olderThanSeconds: staleRequestSeconds });
  for (const { organizationId, sessionId } of orphaned) {
    await pass.attempt(`session ${sessionId}`, async () => {
      await closeSession(db, organizationId, sessionId);
      log.warn('the sweeper closed a session', { organizationId, sessionId });
    });
  }
}

function deleteExpired(kind: keyof typeof objectLifetimeSeconds): Step {
  const olderThanSeconds = objectLifetimeSeconds[kind];
  return deleteNext(`expired ${kind}`, (db, after) =>
    expiredObjects(db, { kind, olderThanSeconds, after }),
  );
}

/**
 * Deletes a page of objects.
 * @param position name of the place where it goes on
 * @param read the page behind a position; behind '' the first one
 */
function deleteNext(position: string, read: (db: Db, after: string) => Promise<SweptPage>): Step {
  return async (dependencies, pass) => {
    const { db } = dependencies;
    const page = await read(db, await readPosition(db, position));
    for (const object of page.objects) {
      await pass.attempt(object.key, () => discard(dependencies, object));
    }
    // The next pass goes on behind those that are needed or could not be deleted.
    await writePosition(db, position, page.next);
  };
}

/**
 * What is under a prefix is left to the sweep of late writes, which follows: an activity that does
 * not know yet that its workflow was terminated may go on writing there.
 */
async function discard(
  { db, objects }: ActivityDependencies,
  { key, organizationId }: OwnedKey,
): Promise<void> {
  if (key.endsWith('/')) await recordLateWrite(db, { key, organizationId });
  else await objects.delete([key]);
  await deleteObjectRows(db, [key]);
}
