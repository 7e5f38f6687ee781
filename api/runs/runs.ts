// A request from its claim to its result: one run per request id, whatever callers and networks do.
import { isOfShape } from '../../models/contract/served-models.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RepeatRule } from '../../db/claim-decision.ts';
import type { Completions } from '../../db/completions.ts';
import { resultKey } from '../../db/object-keys.ts';
import { readDocument } from '../../db/stored-json.ts';
import { resultFormat } from '../../models/analysis/documents.ts';
import { claimRequest, closeRequest, failRequest, requestState } from '../../db/requests.ts';
import type { RequestRef } from '../../db/request-ref.ts';
import type { Db } from '../../db/database.ts';
import type { ObjectStore } from '../../db/object-store.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import type { FairGate } from '../../models/fairness/fair-gate.ts';
import { toServiceError } from '../http/errors.ts';
import { ratePerMinute } from '../../models/contract/prices.ts';
import type { RecordingResult } from '../../models/analysis/result.ts';
import type { SessionSlot } from '../../workflows/types.ts';
import type { StoredAudio } from '../upload/store-audio.ts';
import { createStartGate } from '../../models/fairness/start-gate.ts';
import { fingerprint } from './fingerprint.ts';
import { createKnownFiles, endUnstarted } from './known-files.ts';
import { claimError } from './claim-error.ts';
import { fetchResult } from './fetch-result.ts';
import { StartUnknown, type WorkflowRuns } from './workflow-runs.ts';
import { storeTranscript } from './store-transcript.ts';
import type { AnalysisOptions } from '../../models/contract/recording-request.ts';
import type { RecordingTask } from '../../models/contract/tasks.ts';
import type { ModelId } from '../../models/contract/catalog.ts';

/** A request whose audio is stored and whose fields are valid. */
export interface RecordingRequest {
  readonly organizationId: string;
  readonly keyId: string;
  readonly requestId: string;
  readonly task: RecordingTask;
  readonly model: ModelId;
  readonly options: AnalysisOptions;
  /** How the answer is made of the analysis, where the caller chooses: part of the fingerprint. */
  readonly answer?: Readonly<Record<string, string>>;
  readonly audio: StoredAudio;
  /** Absent: the minutes come out of the account. */
  readonly slot?: SessionSlot;
  /** Text that was read; null or absent without one. */
  readonly transcript?: string | null;
  /** Default: a repeat of a completed request is 409. */
  readonly repeats?: RepeatRule;
}

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
   * result the audio is the workflow's; before and after it is owned by the request.
   * @throws ServiceError 409 for a used id, the workflow's error, 504 timeout, 503 not_ready
   */
  run(request: RecordingRequest): Promise<FinishedRun>;
  /** For recordings so long that their result is not read on the event loop. */
  runStored(request: RecordingRequest): Promise<StoredRun>;
  /** Ends every wait, before the connections that it waits on are closed; the work goes on. */
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

/** A run that takes longer waits for processes that organizations share. */
const startSlotMs = 1_000;
/** How often a repeat looks whether the run before it has ended. */
const repeatDelayMs = 250;

const busyRetrySeconds = 2;

export function createRuns(options: RunsOptions): Runs {
  const closing = new AbortController();
  const acquireStart = createStartGate({ slotMs: startSlotMs });
  const knownFiles = createKnownFiles(options.db);
  const runGated = async (request: RecordingRequest): Promise<StoredRun> => {
    const { organizationId } = request;
    const releaseStart = await acquireStart(organizationId);
    let known: ServiceError | null = null;
    try {
      const ref = await admitWhenFree(options, request);
      known = await knownFiles.errorOf(organizationId, request.audio.sha256);
      if (known) await endUnstarted(options.db, ref, known);
      return await runStored(options, request, { ref, closing: closing.signal });
    } catch (error) {
      knownFiles.failed(organizationId, error);
      throw error;
    } finally {
      // Who sends what was refused before waits for as long as if it had been looked at again.
      if (!known) releaseStart();
    }
  };
  return {
    close: () => closing.abort(),
    runStored: runGated,
    run: async (request) => {
      const { stored, ...run } = await runGated(request);
      return { ...run, result: readDocument(resultFormat, stored) };
    },
  };
}

interface Admitted {
  readonly ref: RequestRef;
  readonly closing: AbortSignal;
}

async function runStored(
  options: RunsOptions,
  request: RecordingRequest,
  { ref, closing }: Admitted,
): Promise<StoredRun> {
  const release = await acquireModelSlot(options, request, ref);
  // The commit is heard of before the workflow has closed: a fifth of a clip's time.
  const { completed, stop } = options.completions.next(ref);
  const answered = new AbortController();
  try {
    const handle = await start(options, request, ref);
    const deadline = AbortSignal.timeout(options.answerDeadlineMs);
    const ended = AbortSignal.any([answered.signal, closing, deadline]);
    const closed = options.workflows.result(handle, ended);
    // Nobody waits for it any more once the commit was heard of.
    closed.catch(() => {});
    await Promise.race([completed, closed]).catch(async (error: unknown) => {
      // Completed and charged is answered, whatever became of the workflow after it.
      const state = await requestState(options.db, ref).catch(() => null);
      if (state !== 'completed') throw error;
    });
    const stored = await fetchResult(options.objects, resultKey(ref), request.audio);
    return { organizationId: ref.organizationId, attempt: ref.attempt, stored };
  } finally {
    answered.abort();
    stop();
    release();
  }
}

/** Spectra-2 alone closes what it cannot take: the id is used up, and nothing is charged. */
async function acquireModelSlot(
  { db, spectraRuns }: RunsOptions,
  { organizationId, model }: RecordingRequest,
  ref: RequestRef,
): Promise<() => void> {
  if (!isOfShape(model, 'spectra-2')) return () => {};
  const runSlot = spectraRuns.tryAcquire(organizationId);
  if (runSlot) return runSlot.release;
  await closeRequest(db, ref);
  const message = `${spectraRuns.max} recordings are being analysed; send it later with a new id.`;
  throw new ServiceError('model_busy', message, { retryAfterSeconds: busyRetrySeconds });
}

/** Where a repeat is no conflict, it waits for the run under way and then runs again. */
async function admitWhenFree(options: RunsOptions, request: RecordingRequest): Promise<RequestRef> {
  const end = performance.now() + options.answerDeadlineMs;
  for (;;) {
    try {
      return await admit(options, request);
    } catch (error) {
      const isInProgress = error instanceof ServiceError && error.code === 'request_in_progress';
      if (!isInProgress || request.repeats !== 'run-again' || performance.now() > end) throw error;
      await sleep(repeatDelayMs);
    }
  }
}

async function admit({ db }: RunsOptions, request: RecordingRequest): Promise<RequestRef> {
  const { organizationId, requestId, keyId, task, model, options, audio, repeats } = request;
  const claim = await claimRequest(db, {
    organizationId,
    requestId,
    keyId,
    task,
    model,
    ratePerMinute: ratePerMinute({ model, task, options }),
    uploadKey: audio.key,
    fingerprint: fingerprint({
      audioSha256: audio.sha256,
      task,
      model,
      options,
      keyId,
      transcript: request.transcript ?? null,
      answer: request.answer ?? null,
    }),
    ...(repeats && { repeats }),
  });
  if (claim.kind === 'admitted') return { organizationId, requestId, attempt: claim.attempt };
  throw claimError(claim);
}

async function start(
  { db, objects, workflows }: RunsOptions,
  request: RecordingRequest,
  ref: RequestRef,
): ReturnType<WorkflowRuns['start']> {
  const { task, model, options, audio, slot, repeats = 'refuse' } = request;
  const { key, container, bytes, sha256 } = audio;
  try {
    const upload = { key, container, bytes, sha256 };
    const transcriptKey = await storeTranscript({ db, objects }, ref, request.transcript ?? null);
    const extras = { ...(slot && { slot }), ...(transcriptKey && { transcriptKey }) };
    const input = { ...ref, task, model, options, upload, ...extras };
    const handle = await workflows.start(input, repeats);
    audio.owner.handOver(key);
    return handle;
  } catch (thrown) {
    const error = toServiceError(thrown);
    const { code, message } = error;
    // It may be running, and deletes its audio then.
    if (error instanceof StartUnknown) audio.owner.handOver(key);
    else await failRequest(db, ref, { code, message, param: null });
    throw error;
  }
}
