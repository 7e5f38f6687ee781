// The last activity of a recording that cannot be finished: releases its minutes and deletes its
// working objects.
import { log } from '@temporalio/activity';
import { closeRequest, unclaimRequest } from '../db/requests.ts';
import { isFaultOfAudio, isFaultOfCaller } from '../models/contract/errors.ts';
import type { FailedRecording, FailRecordingInput } from '../workflows/types.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { deleteWork } from './recording-objects.ts';
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
    if (batch && cancelled) await closeRequest(db, recording);
    else if (!batch && unadmitted.includes(code)) {
      // contract.md: a request that is rejected before anything is reserved leaves its id unused.
      await unclaimRequest(db, recording);
    } else await recordFailure(dependencies, recording, { code, message, param });
    // The caller must not wait for unavailable storage; the sweeper deletes what remains.
    await deleteWork(dependencies, recording).catch((error: unknown) => {
      log.warn('objects of a failed request are left to the sweeper', { error });
    });
    return { isCallersFault: isFaultOfCaller(code), isAudiosFault: isFaultOfAudio(code) };
  });
}
