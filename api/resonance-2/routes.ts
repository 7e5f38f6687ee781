// POST /v1/audio/resonance-2 and its health: contract.md, "Resonance-2 labels".
import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { ServiceError } from '../../models/contract/errors.ts';
import { resonance2Model as model } from '../../models/contract/served-models.ts';
import { shapePaths } from '../../models/contract/tasks.ts';
import { checkForm } from '../http/form.ts';
import { authenticate } from '../http/middleware/authenticate.ts';
import { requireAllowanceOrKnownId } from '../http/middleware/require-allowance.ts';
import { requireAccess } from '../http/middleware/require-access.ts';
import { detailBody, unprocessable } from '../http/middleware/unprocessable.ts';
import { readQuery } from '../http/query.ts';
import { callerOf, type RunDependencies } from '../runs/caller.ts';
import { checkAudioFile } from '../fields/audio-file.ts';
import { uploadLimits, withUpload, type UploadForm } from '../upload/receive.ts';
import { resonance2Form, resonance2Query } from './request.ts';
import { toResonance2Result } from './response.ts';
import type { RequestState } from '../http/request-state.ts';
import type { Readiness } from '../health/readiness.ts';

export interface Resonance2Dependencies extends RunDependencies {
  readonly readiness: Readiness;
}

const path = shapePaths['resonance-2'];
const form: UploadForm<void> = {
  limits: uploadLimits(model),
  check(received) {
    checkForm(received.fields, resonance2Form);
    checkAudioFile(received, model);
  },
};

export function resonance2Routes(
  router: Router<RequestState>,
  dependencies: Resonance2Dependencies,
  concurrency: Middleware<RequestState>,
): void {
  const { db, readiness } = dependencies;
  router.get(`${path}/health`, async (ctx) => {
    const { workers, models } = await readiness.check();
    if (workers !== 'ok' || models !== 'ok') {
      throw new ServiceError('model_unavailable', 'No worker that serves the model is ready.');
    }
    ctx.body = { status: 'ok', model };
  });
  router.post(
    path,
    authenticate(dependencies),
    requireAccess(db, model),
    requireAllowanceOrKnownId(db),
    concurrency,
    unprocessable(detailBody),
    classify(dependencies),
  );
}

function classify(dependencies: RunDependencies): Middleware<RequestState> {
  return async (ctx) => {
    const { regime } = readQuery(ctx, resonance2Query);
    await withUpload(dependencies, ctx, form, async (_, upload) => {
      const finished = await dependencies.runs.run({
        ...callerOf(ctx.state),
        task: 'affect',
        model,
        options: { diarize: false, numSpeakers: null, includeLogits: true },
        answer: { regime },
        upload,
        repeats: 'run-again',
      });
      ctx.body = toResonance2Result(finished, { requestId: ctx.state.requestId, model, regime });
    });
  };
}
