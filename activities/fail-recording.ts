// The last activity of a recording that cannot be finished: releases its minutes and deletes its
// working objects.
import { log } from '@temporalio/activity';
import { closeRequest, requestState, unclaimRequest } from '../db/requests.ts';
import { isFaultOfAudio, isFaultOfCaller } from '../models/contract/errors.ts';
import type { FailedRecording, FailRecordingInput, RecordingInput } from '../workflows/types.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { claimOf, deleteWork } from './recording-objects.ts';
import { recordFailure } from './record-failure.ts';
import { runActivity } from './run-activity.ts';

const unadmitted: readonly string[] = [
  'account_suspended',
  'allowance_exhausted',
  'session_capacity_unavailable',
  'rate_limited',
];

/** Ends the attempt as failed: its reservation is released and nothing of it is kept. */
export function failRecording(
  dependencies: ActivityDependencies,
  { recording, code, message, param, cancelled }: FailRecordingInput,
): Promise<FailedRecording> {
  return runActivity(async () => {
    const { db } = dependencies;
    const { batch } = recording;
    if (!batch && unadmitted.includes(code)) await leaveUnused(dependencies, recording);
    else {
      if (batch && cancelled) await closeRequest(db, recording);
      else await recordFailure(dependencies, claimOf(recording), { code, message, param });
      await deleteQuietly(dependencies, recording);
    }
    return { isCallersFault: isFaultOfCaller(code), isAudiosFault: isFaultOfAudio(code) };
  });
}

/**
 * contract.md: a request that is rejected before anything is reserved leaves its id unused. The
 * next claim of the id is the same attempt and has the same keys of objects, so these are deleted
 * while the id is still taken, and by a repeat of this step not at all.
 */
async function leaveUnused(
  dependencies: ActivityDependencies,
  recording: RecordingInput,
): Promise<void> {
  const { db } = dependencies;
  const claim = claimOf(recording);
  if ((await requestState(db, claim)) === null) return;
  await deleteQuietly(dependencies, recording);
  await unclaimRequest(db, claim);
}

/** The caller must not wait for unavailable storage; the sweeper deletes what remains. */
async function deleteQuietly(
  dependencies: ActivityDependencies,
  recording: RecordingInput,
): Promise<void> {
  await deleteWork(dependencies, recording).catch((error: unknown) => {
    log.warn('objects of a failed request are left to the sweeper', { error });
  });
}
