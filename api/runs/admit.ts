// Admits a run: claims its id, after the run in progress where a repeat is no conflict.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../db/database.ts';
import type { ClaimRef } from '../../db/request-ref.ts';
import { claimRequest } from '../../db/requests.ts';
import { ratePerMinute } from '../../models/contract/charge-rate.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { claimError } from './claim-error.ts';
import { fingerprint } from './fingerprint.ts';
import type { RunRequest } from './run-request.ts';
import { endOfWait } from './workflow-runs.ts';

/** Interval at which a repeat checks whether the previous run has ended. */
const repeatDelayMs = 250;

/**
 * Where a repeat is not a conflict, it waits for the run in progress and then runs again. What it
 * waits is part of its own deadline.
 * @throws ServiceError timeout when the run in progress outlasts it, or why the wait was ended
 */
export async function admitWhenFree(
  db: Db,
  request: RunRequest,
  ended: AbortSignal,
): Promise<ClaimRef> {
  for (;;) {
    try {
      return await admit(db, request);
    } catch (error) {
      if (request.repeats !== 'run-again' || !isInProgress(error)) throw error;
    }
    await sleep(repeatDelayMs, null, { signal: ended }).catch(() => {});
    if (ended.aborted) throw endOfWait(ended);
  }
}

function isInProgress(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'request_in_progress';
}

async function admit(db: Db, request: RunRequest): Promise<ClaimRef> {
  const { organizationId, requestId, keyId, task, model, options, upload, repeats } = request;
  const uploadKey = upload.key;
  const claim = await claimRequest(db, {
    organizationId,
    requestId,
    keyId,
    task,
    model,
    ratePerMinute: ratePerMinute({ model, task, options }),
    uploadKey,
    fingerprint: fingerprint({
      audioSha256: upload.sha256,
      task,
      model,
      options,
      keyId,
      transcript: request.transcript ?? null,
      answer: request.answer ?? null,
    }),
    ...(repeats && { repeats }),
  });
  if (claim.kind !== 'admitted') throw claimError(claim);
  return { organizationId, requestId, attempt: claim.attempt, uploadKey };
}
