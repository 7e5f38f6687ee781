// POST /v1/audio/proficiency.
import { proficiencyModel } from '../../models/contract/catalog.ts';
import type Router from '@koa/router';
import type { Middleware } from 'koa';
import type { AppDependencies, RequestState } from '../dependencies.ts';
import { authenticate } from '../http/middleware/authenticate.ts';
import { requireAllowance } from '../http/middleware/require-allowance.ts';
import { callerOf } from '../runs/caller.ts';
import { nameIgnoredFields } from '../speech/request.ts';
import { maxTranscriptBytes, parseProficiencyFields } from './request.ts';
import { receiveUpload, uploadLimits } from '../upload/receive.ts';
import { toProficiencyResult } from './response.ts';

const base = uploadLimits(proficiencyModel);
const limits = {
  maxFileBytes: base.maxFileBytes,
  maxBodyBytes: base.maxBodyBytes + maxTranscriptBytes,
  maxFieldBytes: maxTranscriptBytes,
};

export function proficiencyRoutes(
  router: Router<RequestState>,
  dependencies: AppDependencies,
  concurrency: Middleware<RequestState>,
): void {
  const { db } = dependencies;
  const path = '/v1/audio/proficiency';
  router.post(
    path,
    authenticate(dependencies),
    requireAllowance(db),
    concurrency,
    assess(dependencies),
  );
}

function assess(dependencies: AppDependencies): Middleware<RequestState> {
  return async (ctx) => {
    const { accepted, audio } = await receiveUpload(dependencies, ctx, limits, ({ fields }) =>
      parseProficiencyFields(fields),
    );
    const { transcript, ignoredFields } = accepted;
    nameIgnoredFields(ctx, ignoredFields);
    const request = {
      ...callerOf(ctx.state),
      task: 'proficiency',
      model: proficiencyModel,
      options: { diarize: false, numSpeakers: null, includeLogits: false },
      audio,
      transcript,
    } as const;
    ctx.body = toProficiencyResult(request, await dependencies.runs.run(request));
  };
}
