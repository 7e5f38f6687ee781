// POST /v1/audio/proficiency.
import { modelsOf } from '../../models/contract/served-models.ts';
import { shapePaths } from '../../models/contract/tasks.ts';
import { maxTranscriptBytes } from '../../models/contract/catalog.ts';
import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { authenticate } from '../http/middleware/authenticate.ts';
import { requireAllowanceOrKnownId } from '../http/middleware/require-allowance.ts';
import { callerOf, type RunDependencies } from '../runs/caller.ts';
import { nameIgnoredFields } from '../http/form.ts';
import { rejectWithoutAccess } from '../http/middleware/require-access.ts';
import { checkAudioFile } from '../fields/audio-file.ts';
import { parseProficiencyFields, type ProficiencyRequest } from './request.ts';
import { uploadLimits, withUpload, type Form } from '../upload/receive.ts';
import { toProficiencyResult } from './response.ts';
import type { RequestState } from '../http/request-state.ts';

const limits = { ...uploadLimits(...modelsOf('proficiency')), maxFieldBytes: maxTranscriptBytes };

export function proficiencyRoutes(
  router: Router<RequestState>,
  dependencies: RunDependencies,
  concurrency: Middleware<RequestState>,
): void {
  const { db } = dependencies;
  router.post(
    shapePaths.proficiency,
    authenticate(dependencies),
    requireAllowanceOrKnownId(db),
    concurrency,
    assess(dependencies),
  );
}

function assess(dependencies: RunDependencies): Middleware<RequestState> {
  return async (ctx) => {
    const check = async (form: Form): Promise<ProficiencyRequest> => {
      const accepted = parseProficiencyFields(form.fields);
      checkAudioFile(form, accepted.model);
      await rejectWithoutAccess(dependencies.db, ctx.state.account, accepted.model);
      return accepted;
    };
    await withUpload(dependencies, ctx, { limits, check }, async (accepted, upload) => {
      const { model, transcript, ignoredFields } = accepted;
      nameIgnoredFields(ctx, ignoredFields);
      const request = {
        ...callerOf(ctx.state),
        task: 'proficiency',
        model,
        options: { diarize: false, numSpeakers: null, includeLogits: false },
        upload,
        transcript,
      } as const;
      ctx.body = toProficiencyResult(request, await dependencies.runs.run(request));
    });
  };
}
