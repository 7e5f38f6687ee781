// POST /v1/audio/synthetic-speech: human or synthetic, with a paid plan.
import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { ServiceError } from '../../models/contract/errors.ts';
import { syntheticModel as model } from '../../models/contract/served-models.ts';
import { shapePaths } from '../../models/contract/tasks.ts';
import { checkForm } from '../http/form.ts';
import { authenticate } from '../http/middleware/authenticate.ts';
import { requireAccess } from '../http/middleware/require-access.ts';
import { envelopeBody, unprocessable } from '../http/middleware/unprocessable.ts';
import { noParameters, readQuery } from '../http/query.ts';
import { callerOf, type RunDependencies } from '../runs/caller.ts';
import { checkAudioFile } from '../fields/audio-file.ts';
import { uploadLimits, withUpload, type UploadForm } from '../upload/receive.ts';
import { fileAndModelForm } from '../fields/single-model.ts';
import { toSyntheticResult } from './response.ts';
import type { Readiness } from '../health/readiness.ts';
import type { RequestState } from '../http/request-state.ts';

export const syntheticForm = fileAndModelForm(model).meta({ id: 'SyntheticSpeechRequest' });
const form: UploadForm<void> = {
  limits: uploadLimits(model),
  check(received) {
    checkForm(received.fields, syntheticForm);
    checkAudioFile(received, model);
  },
};

interface Dependencies extends RunDependencies {
  readonly readiness: Pick<Readiness, 'check'>;
}

export function syntheticSpeechRoutes(
  router: Router<RequestState>,
  dependencies: Dependencies,
  concurrency: Middleware<RequestState>,
): void {
  router.post(
    shapePaths['synthetic-speech'],
    authenticate(dependencies),
    requireAccess(dependencies.db, model),
    concurrency,
    unprocessable(envelopeBody),
    detect(dependencies),
  );
}

function detect(dependencies: Dependencies): Middleware<RequestState> {
  return async (ctx) => {
    readQuery(ctx, noParameters);
    await withUpload(dependencies, ctx, form, async (_, upload) => {
      const running = dependencies.runs.run({
        ...callerOf(ctx.state),
        task: 'synthetic_speech',
        model,
        options: { diarize: false, numSpeakers: null, includeLogits: true },
        upload,
        repeats: 'run-again',
      });
      const finished = await running.catch(async (error: unknown) => {
        throw await withoutWorker(dependencies.readiness, error);
      });
      ctx.body = toSyntheticResult(finished, ctx.state.requestId);
    });
  };
}

/**
 * interface.md has no 504 here, and 503 without a worker. It is asked for after the wait, because
 * one that is replaced comes back, and the request is answered.
 */
async function withoutWorker({ check }: Pick<Readiness, 'check'>, error: unknown) {
  if (!(error instanceof ServiceError) || error.code !== 'timeout') return error;
  const { workers } = await check();
  if (workers === 'ok') return error;
  const message = 'No worker that serves the model is ready; send it again with the same id.';
  return new ServiceError('model_unavailable', message, { cause: error });
}
