// Starts the workflow of an admitted request, and waits for its end through any outage.
import { callWithin } from './call-temporal.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
  WorkflowNotFoundError,
  type Client,
  type WorkflowHandle,
} from '@temporalio/client';
import type { RepeatRule } from '../../db/claim-decision.ts';
import { idHash } from '../../db/object-keys.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { requestWorkflowId } from '../../workflows/ids.ts';
import { searchAttributes } from '../../workflows/search-attributes.ts';
import type {
  AnalyzeRecordingInput,
  AnalyzeRecordingResult,
  RefusedRecording,
} from '../../workflows/types.ts';
import { fromRefusal, fromWorkflowFailure } from './workflow-failure.ts';
import { WorkInHand } from './work-in-hand.ts';

/** It is unknown whether the workflow runs, so the id is answered 409 until that is known. */
export class StartUnknown extends WorkInHand {
  constructor(cause: unknown) {
    super('not_ready', 'It is not known whether the analysis has started; try again.', { cause });
  }
}

type Outcome = AnalyzeRecordingResult | RefusedRecording;

const retryDelayMs = 500;
const startTimeoutMs = 10_000;
const closingDelayMs = 100;
const describeTimeoutMs = 5_000;
/** Its caller waits, whose connection is about to be closed. */
const terminateTimeoutMs = 1_000;

export interface WorkflowRuns {
  /**
   * Starts the workflow, or finds the one that an earlier call of this API started.
   * @throws ServiceError not_ready when it certainly did not start
   */
  start(input: AnalyzeRecordingInput, repeats: RepeatRule): Promise<WorkflowHandle>;
  /**
   * Waits for the result. When `ended` aborts, the wait is over, and so is the call to the server
   * that is open then.
   * @throws ServiceError of the workflow, or why the wait was ended
   */
  result(handle: WorkflowHandle, ended: AbortSignal): Promise<AnalyzeRecordingResult>;
  /** Ends it without its clean-up, so that its id is free at once; never fails. */
  terminate(handle: WorkflowHandle, reason: string): Promise<void>;
}

export function createWorkflowRuns(client: Client, taskQueue: string): WorkflowRuns {
  return {
    start: (input, repeats) => untilFree(() => startOnce(client, taskQueue, { input, repeats })),
    result: (handle, ended) => awaitResult(client, handle, ended),
    terminate: async (handle, reason) => {
      // A workflow that goes on cannot charge an attempt that has ended, and ends by that.
      await callWithin(client, terminateTimeoutMs, () => handle.terminate(reason)).catch(() => {});
    },
  };
}

/** An earlier attempt that has been answered may still be closing: its id is free shortly after. */
async function untilFree(start: () => Promise<WorkflowHandle | null>): Promise<WorkflowHandle> {
  const end = performance.now() + startTimeoutMs;
  for (;;) {
    const handle = await start();
    if (handle) return handle;
    const late = performance.now() > end;
    if (late) throw new StartUnknown(new Error('an earlier attempt has not closed'));
    await sleep(closingDelayMs);
  }
}

/** null when another attempt still holds the workflow id. */
async function startOnce(
  client: Client,
  taskQueue: string,
  { input, repeats }: { readonly input: AnalyzeRecordingInput; readonly repeats: RepeatRule },
): Promise<WorkflowHandle | null> {
  const { organizationId, model, task } = input;
  const workflowId = requestWorkflowId(organizationId, idHash(input.requestId));
  try {
    return await callWithin(client, startTimeoutMs, () =>
      client.workflow.start('analyzeRecording', {
        workflowId,
        taskQueue,
        args: [input],
        workflowIdConflictPolicy: 'FAIL',
        // A retry after a 5xx, or an id left unused by a 402, follows a failed workflow; a
        // completed one runs again only where a repeat is no conflict.
        workflowIdReusePolicy:
          repeats === 'run-again' ? 'ALLOW_DUPLICATE' : 'ALLOW_DUPLICATE_FAILED_ONLY',
        memo: { attempt: input.attempt, uploadKey: input.upload.key },
        staticSummary: `${task} by ${model}, ${input.upload.container}`,
        staticDetails: `Organization ${organizationId}, attempt ${input.attempt}.`,
        priority: { priorityKey: 1, fairnessKey: organizationId },
        typedSearchAttributes: searchAttributes({
          organizationId,
          model,
          task,
          stage: 'opening',
        }),
      }),
    );
  } catch (error) {
    // The call may have succeeded although its answer was lost, so the server decides.
    const started = await startedRun(client, workflowId, input);
    if (started || error instanceof WorkflowExecutionAlreadyStartedError) return started;
    const message = 'The orchestration service is unavailable; send the request again.';
    throw new ServiceError('not_ready', message, { cause: error });
  }
}

/**
 * The run of this attempt, where it owns the workflow id; also one that has ended, because it may
 * have run to its end after a start whose answer was lost. An id that a 402 left unused begins with
 * attempt 1 again, so the upload identifies the start; one without it in its memo was made by the
 * version before, and is not this one.
 */
async function startedRun(
  client: Client,
  workflowId: string,
  { upload }: AnalyzeRecordingInput,
): Promise<WorkflowHandle | null> {
  try {
    const found = client.workflow.getHandle(workflowId);
    const { memo, runId } = await callWithin(client, describeTimeoutMs, () => found.describe());
    // By its own id: the workflow id alone finds a later run, of another recording.
    return memo?.uploadKey === upload.key ? client.workflow.getHandle(workflowId, runId) : null;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    // Unknown: the row stays admitted, and the sweeper decides when Temporal answers again.
    throw new StartUnknown(error);
  }
}

async function awaitResult(
  client: Client,
  handle: WorkflowHandle,
  ended: AbortSignal,
): Promise<AnalyzeRecordingResult> {
  while (!ended.aborted) {
    // A call that continues after its answer would outlive its connection.
    const outcome = await client
      .withAbortSignal(ended, () => unlessAborted(ended, handle.result() as Promise<Outcome>))
      .catch((error: unknown) => {
        const isOver =
          error instanceof WorkflowFailedError || error instanceof WorkflowNotFoundError;
        if (isOver) throw fromWorkflowFailure(error);
        return null;
      });
    if (outcome && 'refusal' in outcome) throw fromRefusal(outcome);
    if (outcome) return outcome;
    // The server is down or restarting: the handle finds the same run again.
    await sleep(retryDelayMs, null, { signal: ended }).catch(() => {});
  }
  throw endOfWait(ended);
}

/**
 * null once the signal has aborted. Temporal's client takes an abort for the call alone that is
 * open then: it starts the next one of a long wait, or of a retry, without looking at the signal.
 */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T | null> {
  const aborted = Promise.withResolvers<null>();
  const abort = (): void => aborted.resolve(null);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** What a caller gets whose wait was ended: the signal's own error, or that of the deadline. */
export function endOfWait({ reason }: AbortSignal): ServiceError {
  if (reason instanceof ServiceError) return reason;
  const message = 'The answer takes longer than the deadline; the analysis continues.';
  return new ServiceError('timeout', message);
}
