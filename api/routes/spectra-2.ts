// Spectra-2 behind the transcription and analysis endpoints: capacity, then one run.
import { spectraModel } from '../../models/catalog.ts';
import type { ParameterizedContext } from 'koa';
import { ServiceError } from '../../models/errors.ts';
import type { AppDependencies, RequestState } from '../dependencies.ts';
import type { SessionSlot } from '../../workflows/types.ts';
import { sessionToken } from '../middleware/require-allowance.ts';
import { refuseBrowsers } from '../middleware/server-only.ts';
import { callerOf } from '../runs/caller.ts';
import type { PreparedSessions } from '../sessions/prepared-sessions.ts';
import { sessionIdSchema } from '../wire/session-schemas.ts';
import { discardObjects, type StoredAudio } from '../upload/store-audio.ts';
import type { SpectraTask } from '../../models/streams/spectra-start.ts';
import { toSpectra2Result } from '../wire/spectra-result.ts';

/** Waiting this long is worth it: a clip takes a fraction of it. */
const retryAfterSeconds = 1;

/** @throws ServiceError 429 upload_busy with the id unused, model_busy with the attempt closed */
export async function answerSpectra(
  { db, objects, runs, sessions, spectraUploads }: AppDependencies,
  ctx: ParameterizedContext<RequestState>,
  task: SpectraTask,
  audio: StoredAudio,
): Promise<void> {
  const leave = spectraUploads.enter();
  if (!leave) {
    await discardObjects({ db, objects }, [audio.key]);
    const taken = `${spectraUploads.max} recordings are being taken`;
    const message = `${taken}; send it again with the same id.`;
    throw new ServiceError('upload_busy', message, { retryAfterSeconds });
  }
  try {
    const slot = await spentSlot(sessions, ctx).catch(async (error: unknown) => {
      await discardObjects({ db, objects }, [audio.key]);
      throw error;
    });
    const finished = await runs.run({
      ...callerOf(ctx.state),
      task,
      model: spectraModel,
      options: { diarize: false, numSpeakers: null, includeLogits: true },
      audio,
      ...(slot && { slot }),
    });
    await prepareNext(sessions, ctx);
    ctx.body = toSpectra2Result(finished, { requestId: ctx.state.requestId, task });
  } finally {
    leave();
  }
}

/** The slot that a request with a session's token spends. */
async function spentSlot(
  sessions: PreparedSessions,
  ctx: ParameterizedContext<RequestState>,
): Promise<SessionSlot | null> {
  const token = sessionToken(ctx);
  const next = ctx.get('X-Svc-Session-Prepare');
  if (token !== '' || next !== '') refuseBrowsers(ctx);
  if (next !== '' && !sessionIdSchema.safeParse(next).success) {
    const param = 'X-Svc-Session-Prepare';
    throw new ServiceError('invalid_field', `${param} takes a UUID v4.`, { param });
  }
  if (token === '') return null;
  return (await sessions.claim(ctx.state.account, token, ctx.state.requestId)).slot;
}

/** Afterwards, so that it takes no minutes of this request; its failure is not this one's. */
async function prepareNext(
  sessions: PreparedSessions,
  ctx: ParameterizedContext<RequestState>,
): Promise<void> {
  const id = ctx.get('X-Svc-Session-Prepare');
  if (id === '') return;
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
