// Spectra-2 behind the transcription and analysis endpoints: a capacity check, then one run.
import type { IdOfShape } from '../../models/contract/catalog.ts';
import type { ParameterizedContext } from 'koa';
import { ServiceError } from '../../models/contract/errors.ts';
import type { SessionSlot } from '../../models/contract/recording-request.ts';
import { sessionToken } from '../http/middleware/require-allowance.ts';
import { rejectBrowsers } from '../http/middleware/server-only.ts';
import { callerOf, type RunDependencies } from '../runs/caller.ts';
import type { PreparedSessions } from '../sessions/prepared-sessions.ts';
import { sessionIdSchema } from '../sessions/schemas.ts';
import type { OwnedUpload } from '../upload/store-upload.ts';
import type { SpectraTask } from '../../models/contract/tasks.ts';
import { toSpectra2Result } from './response.ts';
import type { RequestState } from '../http/request-state.ts';
import type { FairGate } from '../../models/fairness/fair-gate.ts';

export interface SpectraDependencies extends RunDependencies {
  readonly sessions: PreparedSessions;
  /** Concurrent Spectra-2 recordings; beyond them the answer is 429 `upload_busy`. */
  readonly spectraUploads: FairGate;
}

const prepareHeader = 'X-Svc-Session-Prepare';

/** A clip takes a fraction of a second, so a retry after this long is likely to succeed. */
const retryAfterSeconds = 1;

/** @throws ServiceError 429 upload_busy with the id unused, model_busy with the attempt closed */
export async function answerSpectra(
  { runs, sessions, spectraUploads }: SpectraDependencies,
  ctx: ParameterizedContext<RequestState>,
  { model, task }: { readonly model: IdOfShape<'spectra-2'>; readonly task: SpectraTask },
  upload: OwnedUpload,
): Promise<void> {
  const uploadSlot = spectraUploads.tryAcquire(ctx.state.account.organizationId);
  if (!uploadSlot) {
    const busy = `${spectraUploads.max} recordings are being received already`;
    const message = `${busy}; send it again with the same id.`;
    throw new ServiceError('upload_busy', message, { retryAfterSeconds });
  }
  try {
    const { slot, next } = await readSession(sessions, ctx);
    const finished = await runs.run({
      ...callerOf(ctx.state),
      task,
      model,
      options: { diarize: false, numSpeakers: null, includeLogits: true },
      upload,
      ...(slot && { slot }),
    });
    await prepareNext(sessions, ctx, next);
    ctx.body = toSpectra2Result(finished, { requestId: ctx.state.requestId, model, task });
  } finally {
    uploadSlot.release();
  }
}

interface SessionUse {
  /** The slot that the request spends; null without a session token. */
  readonly slot: SessionSlot | null;
  /** Id of the session to prepare afterwards; null without one. */
  readonly next: string | null;
}

/** Reads the session headers. @throws ServiceError server_only, invalid_field, 409 */
async function readSession(
  sessions: PreparedSessions,
  ctx: ParameterizedContext<RequestState>,
): Promise<SessionUse> {
  const token = sessionToken(ctx);
  const prepare = ctx.get(prepareHeader);
  if (token !== '' || prepare !== '') rejectBrowsers(ctx);
  const next = prepare === '' ? null : sessionIdSchema.safeParse(prepare).data;
  if (next === undefined) {
    const message = `${prepareHeader} must be a UUID v4.`;
    throw new ServiceError('invalid_field', message, { param: prepareHeader });
  }
  if (token === '') return { slot: null, next };
  const { slot } = await sessions.claimOrRepeat(ctx.state.account, token, ctx.state.requestId);
  return { slot, next };
}

/**
 * Prepares the next session after the request, so that its reservation takes no minutes from it; a
 * failure does not fail the request.
 */
async function prepareNext(
  sessions: PreparedSessions,
  ctx: ParameterizedContext<RequestState>,
  id: string | null,
): Promise<void> {
  if (id === null) return;
  const prepared = await sessions.prepare(ctx.state.account, id).catch(() => null);
  if (!prepared) return;
  const { session, token, requestIds } = prepared;
  ctx.set({
    'X-Svc-Session': token,
    'X-Svc-Session-Expires': String(session.expiresAtMs),
    'X-Svc-Session-Count': String(requestIds.length),
    'X-Svc-Session-Seconds': String(session.capacitySeconds),
  });
}
