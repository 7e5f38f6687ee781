// A request from its claim to its result: one run per request id, whatever callers and networks do.
import { isOfShape, stepsOf } from '../../models/contract/served-models.ts';
import { joinVocabularies } from '../../models/contract/vocabulary.ts';
import type { Completions } from '../../db/completions.ts';
import { resultKey, workPrefix } from '../../db/object-keys.ts';
import { readDocument } from '../../db/stored-json.ts';
import { resultFormat } from '../../models/analysis/result/documents.ts';
import { closeRequest, failRequest, requestState } from '../../db/requests.ts';
import { attemptKey, type ClaimRef } from '../../db/request-ref.ts';
import type { Db } from '../../db/database.ts';
import type { ObjectStore } from '../../db/objects/object-store.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import type { FairGate } from '../../models/fairness/fair-gate.ts';
import { toServiceError } from '../http/errors.ts';
import type { RecordingResult } from '../../models/analysis/result/result.ts';
import { createStartGate } from '../../models/fairness/start-gate.ts';
import { admitWhenFree } from './admit.ts';
import type { RunRequest } from './run-request.ts';
import { createRejectedFiles, endUnstarted } from './rejected-files.ts';
import { fetchResult } from './fetch-result.ts';
import { endUnanswered, PlannedStop } from './planned-stop.ts';
import { WorkflowLost } from './workflow-failure.ts';
import { StartUnknown, unlessAborted, type WorkflowRuns } from './workflow-runs.ts';
import { storeTranscript, storeVocabulary } from './store-texts.ts';
import { withRedaction } from '../../models/redaction/redaction-of.ts';

export interface FinishedRun {
  readonly organizationId: string;
  /** 1 for the first run of the request id. */
  readonly attempt: number;
  readonly result: RecordingResult;
}

/** The same with the result as it was stored: JSON of a RecordingResult. */
export interface StoredRun extends Pick<FinishedRun, 'organizationId' | 'attempt'> {
  readonly stored: Buffer;
}

export interface Runs {
  /**
   * Claims the id, runs the workflow and fetches its result. From the workflow's start to its
   * result the upload is the workflow's; before and after it is owned by the request.
   * @throws ServiceError 409 for a used id, the workflow's error, 504 timeout, 503 not_ready
   */
  run(request: RunRequest): Promise<FinishedRun>;
  /** The same for long recordings, whose result must not be parsed on the event loop. */
  runStored(request: RunRequest): Promise<StoredRun>;
  /**
   * Ends every wait before its connections are closed, and with it what it waits for: callers get
   * 503 `not_ready`, pay nothing and may send the id again. What is charged is still answered.
   */
  close(): void;
}

export interface RunsOptions {
  readonly db: Db;
  readonly objects: ObjectStore;
  readonly workflows: WorkflowRuns;
  readonly completions: Completions;
  readonly answerDeadlineMs: number;
  /** Spectra-2 runs at once; more are closed with 429 `model_busy`. */
  readonly spectraRuns: FairGate;
}

/** A longer run waits for inference processes, which have fair shares of their own. */
const startSlotMs = 1_000;

const busyRetrySeconds = 2;

export function createRuns(options: RunsOptions): Runs {
  const closing = new AbortController();
  const acquireStart = createStartGate({ slotMs: startSlotMs });
  const rejectedFiles = createRejectedFiles(options.db);
  const runGated = async (request: RunRequest): Promise<StoredRun> => {
    const { organizationId } = request;
    const deadline = AbortSignal.timeout(options.answerDeadlineMs);
    const ended = AbortSignal.any([closing.signal, deadline]);
    const releaseStart = await unlessAborted(closing.signal, acquireStart(organizationId));
    if (!releaseStart) throw new PlannedStop();
    let rejection: ServiceError | null = null;
    try {
      const ref = await admitWhenFree(options.db, request, ended);
      rejection = await rejectedFiles.errorOf(organizationId, request.upload.sha256);
      if (rejection) await endUnstarted(options.db, ref, rejection);
      return await runAdmitted(options, request, { ref, ended });
    } catch (error) {
      rejectedFiles.recordFailure(organizationId, error);
      throw error;
    } finally {
      // A rejected file keeps its slot, so that sending it again is as slow as analysing it.
      if (!rejection) releaseStart();
    }
  };
  return {
    close: () => closing.abort(new PlannedStop()),
    runStored: runGated,
    run: async (request) => {
      const { stored, ...run } = await runGated(request);
      return { ...run, result: readDocument(resultFormat, stored) };
    },
  };
}

interface Admitted {
  readonly ref: ClaimRef;
  /** The caller has waited for as long as one may, or the process stops. */
  readonly ended: AbortSignal;
}

async function runAdmitted(
  options: RunsOptions,
  request: RunRequest,
  { ref, ended }: Admitted,
): Promise<StoredRun> {
  const release = await acquireModelSlot(options, request, ref);
  // The commit is announced before the workflow closes, which saves a fifth of a clip's latency.
  const { completed, stop } = options.completions.next(ref);
  const answered = new AbortController();
  try {
    const handle = await start(options, request, ref);
    const unneeded = AbortSignal.any([answered.signal, ended]);
    const closed = options.workflows.result(handle, unneeded);
    // After the commit this promise is not awaited, and its rejection must not be unhandled.
    closed.catch(() => {});
    await Promise.race([completed, closed]).catch(async (error: unknown) => {
      if (error instanceof PlannedStop) return endUnanswered({ ...options, ref, handle });
      if (error instanceof WorkflowLost) await endLost(options, request, { ref, error });
      // A completed and charged request is answered even if its workflow fails afterwards.
      const state = await requestState(options.db, ref).catch(() => null);
      if (state !== 'completed') throw error;
    });
    const stored = await fetchResult(options.objects, resultKey(ref), request.upload);
    return { organizationId: ref.organizationId, attempt: ref.attempt, stored };
  } finally {
    answered.abort();
    stop();
    release();
  }
}

/**
 * Ends a request whose workflow cannot, so that the id is free when its caller is told to send it
 * again; while the database is away that is left to the sweeper.
 */
async function endLost(
  { db }: RunsOptions,
  { upload: { key, owner } }: RunRequest,
  { ref, error }: { readonly ref: ClaimRef; readonly error: WorkflowLost },
): Promise<void> {
  const { code, message } = error;
  const isEnded = await failRequest(db, ref, { code, message, param: null }).catch(() => false);
  if (!isEnded) return;
  for (const left of [key, workPrefix(ref)]) owner.own(left);
}

/** Only Spectra-2 closes requests beyond its capacity: the id is used up, nothing is charged. */
async function acquireModelSlot(
  { db, spectraRuns }: RunsOptions,
  { organizationId, model }: RunRequest,
  ref: ClaimRef,
): Promise<() => void> {
  if (!isOfShape(model, 'spectra-2')) return () => {};
  const runSlot = spectraRuns.tryAcquire(organizationId);
  if (runSlot) return runSlot.release;
  await closeRequest(db, ref);
  const message = `${spectraRuns.max} recordings are being analysed; send it later with a new id.`;
  throw new ServiceError('model_busy', message, { retryAfterSeconds: busyRetrySeconds });
}

async function start(
  { db, objects, workflows }: RunsOptions,
  request: RunRequest,
  ref: ClaimRef,
): ReturnType<WorkflowRuns['start']> {
  const { task, model, slot, repeats = 'reject' } = request;
  const { vocabulary: own, ...options } = withRedaction(request, request.redaction);
  const { words, text } = stepsOf(request);
  const vocabulary = words || text ? joinVocabularies(own, request.vocabulary) : [];
  const { owner, ...upload } = request.upload;
  const stores = { db, objects, owner };
  const handOver = (): void => {
    for (const key of [upload.key, workPrefix(ref)]) owner.handOver(key);
  };
  try {
    const transcriptKey = await storeTranscript(stores, ref, request.transcript ?? null);
    const vocabularyKey = await storeVocabulary(stores, ref, vocabulary);
    const extras = {
      ...(slot && { slot }),
      ...(transcriptKey && { transcriptKey }),
      ...(vocabularyKey && { vocabularyKey }),
    };
    const recording = { ...attemptKey(ref), task, model, options, upload };
    const input = { ...recording, readsRefusal: true as const, ...extras };
    const handle = await workflows.start(input, repeats);
    handOver();
    return handle;
  } catch (thrown) {
    const error = toServiceError(thrown);
    const { code, message } = error;
    // The workflow may be running, and then it deletes the upload and the texts.
    if (error instanceof StartUnknown) handOver();
    else await failRequest(db, ref, { code, message, param: null });
    throw error;
  }
}
