// Spectra-2 behind the transcription and analysis endpoints: capacity, then one run.
import type { ParameterizedContext } from 'koa';
import { ServiceError } from '../../models/errors.ts';
import type { AppDependencies, RequestState } from '../dependencies.ts';
import { callerOf } from '../runs/caller.ts';
import { spectraModel } from '../upload/spectra-fields.ts';
import { discardObjects, type StoredAudio } from '../upload/store-audio.ts';
import { toSpectra2Result, type SpectraTask } from '../wire/spectra-result.ts';

/** Waiting this long is worth it: a clip takes a fraction of it. */
const retryAfterSeconds = 1;

/** @throws ServiceError 429 upload_busy with the id unused, model_busy with the attempt closed */
export async function answerSpectra(
  { db, objects, runs, spectraUploads }: AppDependencies,
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
    const finished = await runs.run({
      ...callerOf(ctx.state),
      task,
      model: spectraModel,
      options: { diarize: false, numSpeakers: null, includeLogits: true },
      audio,
    });
    ctx.body = toSpectra2Result(finished, { requestId: ctx.state.requestId, task });
  } finally {
    leave();
  }
}
