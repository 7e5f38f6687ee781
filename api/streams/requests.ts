// The request behind a stream: claimed, its minutes reserved, held by a workflow, and ended once.
import type { Client } from '@temporalio/client';
import { AllowanceExhausted, availableSeconds } from '../../db/balance.ts';
import type { Db } from '../../db/database.ts';
import { idHash } from '../../db/object-keys.ts';
import { closeRequest, failRequest, unclaimRequest } from '../../db/requests.ts';
import type { RequestRef } from '../../db/request-ref.ts';
import { planRows, type Plan } from '../../models/contract/plans.ts';
import type { Redaction } from '../../models/contract/redaction.ts';
import { RequestNotRunning, reserve, settle } from '../../db/settlement.ts';
import { limitsOf } from '../../models/contract/served-models.ts';
import { ServiceError, type RequestFailure } from '../../models/contract/errors.ts';
import { ratePerMinute } from '../../models/contract/charge-rate.ts';
import { requestWorkflowId, streamQueue } from '../../workflows/ids.ts';
import { searchAttributes } from '../../workflows/search-attributes.ts';
import type { StreamInput, StreamOutcome } from '../../workflows/types.ts';
import { callWithin } from '../runs/call-temporal.ts';
import { claimStream } from '../runs/claim-stream.ts';
import { reservationError } from '../runs/reservation-error.ts';
import { retryWithin } from '../../models/concurrency/retry-within.ts';
import type { StreamRegistry } from './registry.ts';
import type { ModelId } from '../../models/contract/catalog.ts';
import type { RecordingTask } from '../../models/contract/tasks.ts';

export interface StreamRequestOptions {
  readonly db: Db;
  readonly client: Client;
  readonly taskQueue: string;
  readonly hostQueue: string;
  readonly registry: StreamRegistry;
  /** How long a charge that fails is repeated; default: longer than a restart of the database. */
  readonly chargeTimeoutMs?: number;
}

export interface StreamAdmission {
  readonly organizationId: string;
  readonly keyId: string;
  readonly requestId: string;
  readonly task: RecordingTask;
  readonly model: ModelId;
  readonly plan: Plan;
  /** What is removed from the transcript; null for nothing. */
  readonly redaction: Redaction | null;
  /** Of the recording, if less than its model allows. */
  readonly maxSeconds?: number;
  /** The ticket whose request is already claimed and covered; null without one. */
  readonly ticket: { readonly attempt: number; readonly coveredSeconds: number } | null;
  /** Called when the workflow of the stream was cancelled. */
  readonly onCancel: () => void;
}

/** A stream's request while its socket is open; one of the last three ends it. */
export interface StreamRequest {
  readonly organizationId: string;
  readonly attempt: number;
  readonly coveredSeconds: number;
  /**
   * Starts its workflow once. It is separate from admission, so that a stream that is opened and
   * abandoned costs no workflow.
   * @throws ServiceError not_ready
   */
  start(): Promise<void>;
  /**
   * Resolves when its workflow, once started, holds it, when it has ended without, and after
   * `heldTimeoutMs` in any case. Who answers a stream before that can be asked for the next one
   * faster than Temporal follows.
   */
  held(): Promise<void>;
  /**
   * Debits it, but no more than is covered, and completes it. When that fails, the request stays
   * open for `close` or `fail`.
   */
  complete(billableSeconds: number): Promise<void>;
  /** Cancelled, disconnected, expired or rejected: no debit, and the id is used up. */
  close(): Promise<void>;
  /** Server error: no debit, and the id may be tried again. */
  fail(failure: RequestFailure): Promise<void>;
}

/** A restart of the database takes less. */
const defaultChargeTimeoutMs = 10_000;
const chargeDelayMs = 250;
/** More than one account opens at the same moment of what is left of less than a stream. */
const reserveTries = 20;
const startTimeoutMs = 5_000;
const heldTimeoutMs = 5_000;
const closingDelayMs = 25;

export async function admitStream(
  options: StreamRequestOptions,
  admission: StreamAdmission,
): Promise<StreamRequest> {
  const { db, registry } = options;
  const { organizationId, requestId, ticket } = admission;
  const attempt = ticket?.attempt ?? (await claim(db, admission));
  const ref = { organizationId, requestId, attempt };
  const coveredSeconds = ticket?.coveredSeconds ?? (await cover(db, ref, admission));
  const ended = Promise.withResolvers<StreamOutcome>();
  const held = Promise.withResolvers<void>();
  const registered = {
    ...{ ref, ended: ended.promise },
    ...{ hold: held.resolve, cancel: admission.onCancel },
  };
  registry.add(registered);
  let over = false;
  let starting: Promise<void> | null = null;
  const end = async (outcome: StreamOutcome, work: Promise<unknown>): Promise<void> => {
    over = true;
    // Nothing holds what has ended, and who waits for that need not.
    held.resolve();
    await work;
    registry.remove(registered);
    ended.resolve(outcome);
  };
  const giveUp = (work: Promise<unknown>): Promise<void> =>
    end('ended', work).catch((error: unknown) => {
      registry.remove(registered);
      // Its workflow, if there is one, ends it instead.
      ended.promise.catch(() => {});
      ended.reject(error);
      throw error;
    });
  const start = async (): Promise<void> => {
    try {
      await startWorkflow(options, { ...admission, attempt }, () => over);
    } catch (cause) {
      const message = 'The orchestration service is unavailable; try again.';
      throw new ServiceError('not_ready', message, { cause });
    }
  };
  return {
    organizationId,
    attempt,
    coveredSeconds,
    start: () => (starting ??= start()),
    async held() {
      const late = setTimeout(held.resolve, heldTimeoutMs);
      await held.promise;
      clearTimeout(late);
    },
    // The protocols end what is longer; what one lets pass is no reason to lose the result.
    complete: (billable) =>
      end('completed', charge(options, ref, Math.min(billable, coveredSeconds))),
    close: () => giveUp(closeRequest(db, ref)),
    fail: (failure) => giveUp(failRequest(db, ref, failure)),
  };
}

async function claim(db: Db, admission: StreamAdmission): Promise<number> {
  const claimed = await claimStream(db, { ...admission, ratePerMinute: ratePerMinute(admission) });
  if (claimed.kind === 'admitted') return claimed.attempt;
  const code = claimed.kind === 'rejected' ? claimed.code : 'request_already_completed';
  const message = 'This request id was used before; every stream needs a new one.';
  throw new ServiceError(code, message, { param: 'request_id' });
}

/** Reserves the longest recording that the account can still cover. */
async function cover(db: Db, ref: RequestRef, admission: StreamAdmission): Promise<number> {
  try {
    return await reserveLeft(db, ref, admission);
  } catch (error) {
    await unclaimRequest(db, ref);
    throw reservationError(error);
  }
}

/** @throws AllowanceExhausted, AccountSuspended, RequestNotRunning */
async function reserveLeft(db: Db, ref: RequestRef, admission: StreamAdmission): Promise<number> {
  const { maxSeconds = limitsOf(admission.model).maxSeconds } = admission;
  const rate = ratePerMinute(admission);
  for (let tries = 1; ; tries += 1) {
    const available = await availableSeconds(db, ref.organizationId, rate);
    const seconds = Math.min(maxSeconds, available);
    if (seconds <= 0) throw new AllowanceExhausted(`${planRows[admission.plan].usedUp}.`);
    try {
      await reserve(db, ref, seconds);
      return seconds;
    } catch (error) {
      // Another reservation was faster; what it leaves may still be something.
      if (!(error instanceof AllowanceExhausted) || tries === reserveTries) throw error;
    }
  }
}

/** Repeated, because a connection that is lost in a commit leaves open whether it was charged. */
async function charge(
  { db, chargeTimeoutMs: timeoutMs = defaultChargeTimeoutMs }: StreamRequestOptions,
  ref: RequestRef,
  billableSeconds: number,
): Promise<void> {
  await retryWithin(
    {
      timeoutMs,
      delayMs: () => chargeDelayMs,
      isTransient: (error) => !(error instanceof RequestNotRunning),
    },
    () => settle(db, ref, billableSeconds),
  );
}

/** @param isOver whether the request has ended, so that no workflow needs to hold it */
async function startWorkflow(
  { client, taskQueue, hostQueue }: StreamRequestOptions,
  { organizationId, requestId, attempt, task, model }: StreamAdmission & { attempt: number },
  isOver: () => boolean,
): Promise<void> {
  const input: StreamInput = { organizationId, requestId, attempt, task, model, hostQueue };
  const stage = 'recording';
  const options = {
    workflowId: requestWorkflowId(organizationId, idHash(requestId)),
    taskQueue: streamQueue(taskQueue),
    args: [input],
    workflowIdConflictPolicy: 'FAIL',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    memo: { attempt },
    staticSummary: `${task} by ${model}, stream`,
    staticDetails: `Organization ${organizationId}, attempt ${attempt}.`,
    priority: { priorityKey: 1, fairnessKey: organizationId },
    typedSearchAttributes: searchAttributes({ organizationId, model, task, stage }),
  } as const;
  // Retried, because the previous attempt may still be closing.
  await retryWithin(
    { timeoutMs: startTimeoutMs, delayMs: () => closingDelayMs },
    async (remainingMs) => {
      if (isOver()) return;
      await callWithin(client, remainingMs, () =>
        client.workflow.start('streamRecording', options),
      );
    },
  );
}
