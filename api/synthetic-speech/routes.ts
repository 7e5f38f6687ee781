// POST /v1/audio/synthetic-speech: human or synthetic, with a paid plan.
import type Router from '@koa/router';
import type { Middleware } from 'koa';
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
import type { RequestState } from '../http/request-state.ts';

export const syntheticForm = fileAndModelForm(model).meta({ id: 'SyntheticSpeechRequest' });
const form: UploadForm<void> = {
  limits: uploadLimits(model),
  check(received) {
    checkForm(received.fields, syntheticForm);
    checkAudioFile(received, model);
  },
};

export function syntheticSpeechRoutes(
  router: Router<RequestState>,
  dependencies: RunDependencies,
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

function detect(dependencies: RunDependencies): Middleware<RequestState> {
  return async (ctx) => {
    readQuery(ctx, noParameters);
    await withUpload(dependencies, ctx, form, async (_, upload) => {
      const finished = await dependencies.runs.run({
        ...callerOf(ctx.state),
        task: 'synthetic_speech',
        model,
        options: { diarize: false, numSpeakers: null, includeLogits: true },
        upload,
        repeats: 'run-again',
      });
      ctx.body = toSyntheticResult(finished, ctx.state.requestId);
    });
  };
}
