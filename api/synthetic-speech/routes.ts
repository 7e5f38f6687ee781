// POST /v1/audio/synthetic-speech and the entitlement to it: human or synthetic, with a paid plan.
import type Router from '@koa/router';
import type { Middleware } from 'koa';
import type { Container } from '../../models/audio/container.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import type { AppDependencies, RequestState } from '../dependencies.ts';
import { callerOf } from '../runs/caller.ts';
import { authenticate } from '../http/middleware/authenticate.ts';
import { envelopeBody, unprocessable } from '../http/middleware/unprocessable.ts';
import { receiveUpload, uploadLimits } from '../upload/receive.ts';
import { parseSingleModel } from '../upload/single-model.ts';
import { toSyntheticResult } from './response.ts';

const model = 'svczero';
const containers: readonly Container[] = ['wav', 'flac', 'ogg', 'mp3'];
const limits = uploadLimits(model);

export function syntheticSpeechRoutes(
  router: Router<RequestState>,
  dependencies: AppDependencies,
  concurrency: Middleware<RequestState>,
): void {
  router.get(`/v1/models/${model}/access`, authenticate(dependencies), requirePaidPlan, (ctx) => {
    const { keyId, organizationId, plan } = ctx.state.account;
    ctx.body = {
      object: 'model.access',
      model,
      customer: { key_id: keyId, organization_id: organizationId, plan },
      entitlement: 'included_with_paid_plan',
      billed: false,
      consumes_credits: false,
      consumes_plan_minutes: false,
    };
  });
  router.post(
    '/v1/audio/synthetic-speech',
    authenticate(dependencies),
    requirePaidPlan,
    concurrency,
    unprocessable(envelopeBody),
    detect(dependencies),
  );
}

/** Trials and prepaid credits are not eligible. @throws 402 paid_plan_required */
const requirePaidPlan: Middleware<RequestState> = async (ctx, next) => {
  const { plan } = ctx.state.account;
  if (plan !== 'subscription') {
    const message = `${model} is included with a paid plan; the plan here is ${plan}.`;
    throw new ServiceError('paid_plan_required', message, { param: 'model' });
  }
  await next();
};

function detect(dependencies: AppDependencies): Middleware<RequestState> {
  return async (ctx) => {
    const { audio } = await receiveUpload(
      dependencies,
      ctx,
      limits,
      ({ fields, file: { container } }) => {
        parseSingleModel(fields, [model]);
        if (containers.includes(container)) return;
        const message = `The file is ${container}; it takes ${containers.join(', ')}.`;
        throw new ServiceError('unsupported_audio', message, { param: 'file' });
      },
    );
    const finished = await dependencies.runs.run({
      ...callerOf(ctx.state),
      task: 'synthetic_speech',
      model,
      options: { diarize: false, numSpeakers: null, includeLogits: true },
      audio,
      repeats: 'run-again',
    });
    ctx.body = toSyntheticResult(finished, ctx.state.requestId);
  };
}
