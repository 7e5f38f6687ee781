// A stream's request and its analysis as the actions of its protocol.
import type { BundlesInUse } from '../../models/bundles/catalog.ts';
import type { ModelId } from '../../models/contract/catalog.ts';
import { ServiceError, type ErrorCode, type RequestFailure } from '../../models/contract/errors.ts';
import { closeCodes, type StreamFailure, type StreamFault } from './protocols/protocol.ts';
import { toServiceError } from '../http/errors.ts';
import type { FinishedRun } from '../runs/runs.ts';
import type { AffectModel } from '../../models/affect/select.ts';
import type { RecordingResult } from '../../models/analysis/result/result.ts';
import type { LiveOptions } from '../../models/analysis/live/live-recognition.ts';
import type { InferencePool } from '../../models/inference/jobs.ts';
import type { ConversationTurn } from '../../models/redaction/conversation.ts';
import { withRedaction } from '../../models/redaction/redaction-of.ts';
import { joinVocabularies } from '../../models/contract/vocabulary.ts';
import { closeRequest, failRequest } from '../../db/requests.ts';
import type { Db } from '../../db/database.ts';
import type { RequestRef } from '../../db/request-ref.ts';
import {
  createIncrementalAnalysis,
  type IncrementalAnalysis,
} from '../../models/analysis/incremental-analysis.ts';
import {
  admitStream,
  type StreamAdmission,
  type StreamRequest,
  type StreamRequestOptions,
} from './requests.ts';
import { createToldText, finalWords, type LiveListener } from './interim.ts';

export interface StreamServices extends StreamRequestOptions {
  readonly pool: InferencePool;
  /** A turn among the recordings of this process that have interim text. */
  readonly acquireTurn: LiveOptions['acquireTurn'];
  readonly affect: (model: ModelId) => AffectModel | null;
  /** Decide whether a model takes a vocabulary. */
  readonly bundles: BundlesInUse;
  /** @param requestId of the stream, once it has one */
  readonly log: (error: unknown, requestId: string | null) => void;
  readonly metrics: StreamMetrics;
}

/** Streams, and turns of Realtime sessions, are counted as recordings that callers wait for. */
export interface StreamMetrics {
  readonly completed: (recording: {
    readonly task: string;
    readonly model: string;
    readonly bulk: false;
    readonly audioSeconds: number;
    readonly inferenceSeconds: number;
  }) => void;
  /** A server error has ended one, or refused it. */
  readonly failed: (stream: { readonly code: string; readonly bulk: false }) => void;
}

export interface StreamRun {
  readonly admit: (admission: RunAdmission) => Promise<StreamRequest>;
  /** Terms that recognition prefers, instead of those of the call before; before any audio. */
  readonly prefer: (terms: readonly string[]) => void;
  readonly record: (data: Uint8Array) => void;
  /**
   * Analyses, then debits and completes.
   * @param onCharge called before the debit: what ends the stream has to wait from then on
   */
  readonly finish: (onCharge: () => void) => Promise<FinishedRun>;
  /**
   * Ends the request without a result, unless it is settled already. It is debited for the audio
   * whose interim text its client was told, if that client ends it; what the service ends has
   * failed, so that the same id may be tried again.
   */
  readonly abandon: (fault: StreamFault) => Promise<void>;
  /** Maps an error for the client. A server error is logged and ends the request as failed. */
  readonly toFailure: (error: unknown) => StreamFailure;
}

export interface RunAdmission extends StreamAdmission {
  /** ISO 639-1 code of the spoken language; null or absent: detected. */
  readonly language?: string | null;
  /** Terms of the organization, which come after those of `prefer`. */
  readonly vocabulary: readonly string[];
  /** Called when a server error ends the stream. */
  readonly onLost: (error: unknown) => void;
}

/**
 * A stream without audio gets its workflow after this time, which releases the minutes of a lost
 * worker.
 */
const silentMs = 1_000;
const endedByService = 'The service ended the stream before it was finished; try again.';
const internalError: RequestFailure = {
  code: 'internal_error',
  message: 'An internal error ended the stream; try again.',
  param: null,
};
/** What a request has failed by that its client did not end. */
const failures: Readonly<Partial<Record<StreamFault, RequestFailure>>> = {
  service: { code: 'internal_error', message: endedByService, param: null },
  exchange: { code: 'not_ready', message: endedByService, param: null },
};
const streamOptions = { diarize: false, numSpeakers: null, includeLogits: true };

export interface StreamRunOptions {
  /** The request that a ticket has already claimed; it ends with the stream. */
  readonly ticket: RequestRef | null;
  /** Follows the recording; null for a stream without interim text. */
  readonly live: LiveListener | null;
  /** Absent for a recording by itself. */
  readonly conversation?: ConversationTurn | undefined;
}

export function createStreamRun(
  services: StreamServices,
  { ticket, live: follower, conversation }: StreamRunOptions,
): StreamRun {
  let request: StreamRequest | null = null;
  let requestId = ticket?.requestId ?? null;
  let admission: RunAdmission | null = null;
  let terms: readonly string[] = [];
  let analysis: IncrementalAnalysis | null = null;
  let start = (): void => {};
  let silence: NodeJS.Timeout | undefined;
  let endedBy: StreamFault | null = null;
  let settled = false;
  let failure: RequestFailure | null = null;
  const { listener: live, seconds } = createToldText(follower);

  const release = async (): Promise<void> => {
    if (settled) return;
    const toldSeconds = endedBy === 'client' ? seconds() : 0;
    if (request) await endUnfinished(request, { failure, toldSeconds });
    else if (ticket) await endUnopened(services.db, ticket, failure);
  };

  return {
    async admit(asked) {
      requestId = asked.requestId;
      request = await admitStream(services, asked);
      admission = asked;
      start = () => void request!.start().catch(asked.onLost);
      // The stream may have ended while it was being admitted.
      if (endedBy !== null) await release();
      else silence = setTimeout(start, silentMs);
      return request;
    },
    prefer: (preferred) => void (terms = preferred),
    record(data) {
      if (endedBy !== null) return;
      start();
      analysis ??= admission && startAnalysis(services, admission, { live, conversation, terms });
      analysis?.record(data);
    },
    async finish(onCharge) {
      clearTimeout(silence);
      const result = await analysis!.finish();
      await request!.held();
      if (endedBy !== null) throw new Error('the stream was abandoned');
      settled = true;
      onCharge();
      await request!.complete(result.billableSeconds).catch(async (error: unknown) => {
        settled = false;
        // Its client left meanwhile.
        if (endedBy !== null) await release();
        throw error;
      });
      services.metrics.completed(completedOf(admission!, result));
      live?.onFinal(finalWords(result.text ?? '', analysis!.stableWords()));
      const { organizationId, attempt } = request!;
      return { organizationId, attempt, result };
    },
    async abandon(fault) {
      endedBy = fault;
      failure ??= failures[fault] ?? null;
      clearTimeout(silence);
      analysis?.abort();
      await release();
    },
    toFailure(error) {
      if (error instanceof ServiceError && error.status < 500) return callerFailure(error);
      if (endedBy === null) report(services, error, requestId);
      failure = internalError;
      return serverFailure(error, internalError.message);
    },
  };
}

function completedOf(
  { task, model }: RunAdmission,
  { sourceSamples, sourceRate, inferenceMs }: RecordingResult,
): Parameters<StreamMetrics['completed']>[0] {
  const audioSeconds = sourceSamples / sourceRate;
  return { task, model, bulk: false, audioSeconds, inferenceSeconds: inferenceMs / 1_000 };
}

function report({ log, metrics }: StreamServices, error: unknown, requestId: string | null): void {
  log(error, requestId);
  metrics.failed({ code: toServiceError(error).code, bulk: false });
}

function callerFailure({ code, message, param, status }: ServiceError): StreamFailure {
  return { code, message, param, close: status === 429 ? closeCodes.busy : closeCodes.policy };
}

function serverFailure(error: unknown, message: string): StreamFailure {
  const code: ErrorCode = error instanceof ServiceError ? error.code : 'internal_error';
  return { code, message, param: null, close: closeCodes.failed };
}

/** Without a result, and charged for the audio whose words were told. */
function endUnfinished(
  request: StreamRequest,
  {
    failure,
    toldSeconds,
  }: { readonly failure: RequestFailure | null; readonly toldSeconds: number },
): Promise<void> {
  if (failure !== null) return request.fail(failure);
  if (toldSeconds === 0) return request.close();
  return request.complete(toldSeconds).catch(() => request.close());
}

/** What a ticket has claimed, and no stream was started for. */
function endUnopened(db: Db, ticket: RequestRef, failure: RequestFailure | null): Promise<boolean> {
  if (failure === null) return closeRequest(db, ticket);
  return failRequest(db, ticket, failure);
}

function startAnalysis(
  { pool, affect, acquireTurn }: StreamServices,
  { organizationId, task, model, language, redaction, vocabulary: known }: RunAdmission,
  {
    live,
    conversation,
    terms,
  }: Omit<StreamRunOptions, 'ticket'> & { readonly terms: readonly string[] },
): IncrementalAnalysis {
  const vocabulary = joinVocabularies(terms, known);
  const said = { ...(language && { language }), ...(vocabulary.length > 0 && { vocabulary }) };
  const asked = { task, model, options: { ...streamOptions, ...said } };
  return createIncrementalAnalysis({
    pool,
    organizationId,
    request: { ...asked, options: withRedaction(asked, redaction) },
    affect: affect(model),
    conversation,
    live: live && { acquireTurn, onUpdate: (update) => void live.onUpdate(update) },
  });
}
