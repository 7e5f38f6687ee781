// POST /v1/audio/resonance-2 and its health: contract.md, "Resonance-2 labels".
import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { ServiceError } from '../../models/contract/errors.ts';
import type { Regime } from '../../models/affect/resonance-2.ts';
import type { AppDependencies, RequestState } from '../dependencies.ts';
import { callerOf } from '../runs/caller.ts';
import { authenticate } from '../http/middleware/authenticate.ts';
import { requireAllowance } from '../http/middleware/require-allowance.ts';
import { requireAccess } from '../http/middleware/require-access.ts';
import { detailBody, unprocessable } from '../http/middleware/unprocessable.ts';
import { receiveUpload, uploadLimits } from '../upload/receive.ts';
import { parseSingleModel } from '../upload/single-model.ts';
import { toResonance2Result } from './response.ts';

const model = 'svc-resonance-2';
const path = '/v1/audio/resonance-2';
const aliases = [model, 'resonance-2'];
const limits = uploadLimits(model);
const regimes = ['f1', 'precision'] as const;

export function resonance2Routes(
  router: Router<RequestState>,
  dependencies: AppDependencies,
  concurrency: Middleware<RequestState>,
): void {
  const { db, readiness } = dependencies;
  router.get(`${path}/health`, async (ctx) => {
    const { workers, models } = await readiness.check();
    if (workers !== 'ok' || models !== 'ok') {
      throw new ServiceError('model_unavailable', 'No worker with the model is ready.');
    }
    ctx.body = { status: 'ok', model };
  });
  router.post(
    path,
    authenticate(dependencies),
    requireAccess(db, model),
    requireAllowance(db),
    concurrency,
    unprocessable(detailBody),
    classify(dependencies),
  );
}

function classify(dependencies: AppDependencies): Middleware<RequestState> {
  return async (ctx) => {
    const regime = parseRegime(ctx.query.regime);
    const { audio } = await receiveUpload(dependencies, ctx, limits, ({ fields }) =>
      parseSingleModel(fields, aliases),
    );
    const finished = await dependencies.runs.run({
      ...callerOf(ctx.state),
      task: 'affect',
      model,
      options: { diarize: false, numSpeakers: null, includeLogits: true },
      answer: { regime },
      audio,
      repeats: 'run-again',
    });
    ctx.body = toResonance2Result(finished, { requestId: ctx.state.requestId, regime });
  };
}

function parseRegime(given: string | string[] | undefined): Regime {
  const regime = regimes.find((name) => name === (given || 'f1'));
  if (regime) return regime;
  const message = `\`regime\` takes ${regimes.join(' or ')}, got "${String(given).slice(0, 32)}".`;
  throw new ServiceError('invalid_field', message, { param: 'regime', place: 'query' });
}
