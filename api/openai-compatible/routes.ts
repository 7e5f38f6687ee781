// OpenAI's transcription API at its own prefix: the same runs, ids, limits and charges as
// `/v1/audio/transcriptions`, in the form that OpenAI's clients send and the bodies they read.
import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { pricingVersion } from '../../models/contract/catalog.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { commonModels } from '../../models/contract/served-models.ts';
import { authenticate } from '../http/middleware/authenticate.ts';
import { rejectWithoutAccess } from '../http/middleware/require-access.ts';
import { requireAllowanceOrKnownId } from '../http/middleware/require-allowance.ts';
import { noParameters, readQuery } from '../http/query.ts';
import { callerOf } from '../runs/caller.ts';
import { afterCompletion } from '../runs/work-in-hand.ts';
import type { SpeechDependencies } from '../speech/routes.ts';
import { checkAudioFile } from '../fields/audio-file.ts';
import { uploadLimits, withUpload, type Form } from '../upload/receive.ts';
import { keywordsName, requireVocabulary } from '../fields/vocabulary.ts';
import type { RequestState } from '../http/request-state.ts';
import { openAiMediaType } from '../results/openai-answer.ts';
import { idempotencyKeyAsRequestId, withoutSecondWork } from './request-id.ts';
import {
  granularitiesField,
  openAiModel,
  parseOpenAiFields,
  type OpenAiRequest,
} from './request.ts';
import type { OpenAiModel } from '../results/openai-schemas.ts';

export const openAiPaths = {
  transcriptions: '/openai/v1/audio/transcriptions',
  translations: '/openai/v1/audio/translations',
  models: '/openai/v1/models',
} as const;

export function openAiRoutes(
  router: Router<RequestState>,
  dependencies: SpeechDependencies,
  concurrency: Middleware<RequestState>,
): void {
  const account = authenticate(dependencies);
  router.post(
    openAiPaths.transcriptions,
    withoutSecondWork,
    idempotencyKeyAsRequestId,
    account,
    requireAllowanceOrKnownId(dependencies.db),
    concurrency,
    transcribe(dependencies),
  );
  router.post(openAiPaths.translations, account, () => {
    const { transcriptions } = openAiPaths;
    const message = `Translation is not supported; use ${transcriptions} for transcription.`;
    throw new ServiceError('not_found', message);
  });
  router.get(openAiPaths.models, account, (ctx) => {
    ctx.body = { object: 'list', data: servedModels };
  });
  router.get(`${openAiPaths.models}/:id`, account, (ctx) => {
    const found = servedModels.find(({ id }) => id === ctx.params['id']);
    if (!found) throw new ServiceError('not_found', 'There is no model with this id.');
    ctx.body = found;
  });
}

const servedModels: readonly OpenAiModel[] = [openAiModel, ...commonModels].map((id) => ({
  id,
  object: 'model',
  created: Date.parse(pricingVersion) / 1_000,
  owned_by: 'svc',
}));

const limits = { ...uploadLimits(...commonModels), repeatable: [granularitiesField, keywordsName] };

function transcribe(dependencies: SpeechDependencies): Middleware<RequestState> {
  const { db, runs, resultWriter, bundles } = dependencies;
  return async (ctx) => {
    readQuery(ctx, noParameters);
    const check = async (form: Form): Promise<OpenAiRequest> => {
      const request = parseOpenAiFields(form.fields);
      const named = form.fields.has(keywordsName) ? keywordsName : 'prompt';
      requireVocabulary(request, bundles, named);
      checkAudioFile(form, request.model);
      await rejectWithoutAccess(db, ctx.state.account, request.model);
      return request;
    };
    await withUpload(dependencies, ctx, { limits, check }, async (request, upload) => {
      const { model, options, answer } = request;
      const caller = callerOf(ctx.state);
      const task = 'transcription';
      const { attempt, stored } = await runs.runStored({
        ...caller,
        task,
        model,
        options,
        answer: { openAi: JSON.stringify(answer) },
        upload,
      });
      const origin = { ...caller, task, model, attempt } as const;
      ctx.type = openAiMediaType(answer);
      const wanted = { kind: 'openai', answer } as const;
      ctx.body = await afterCompletion(() => resultWriter.write(stored, origin, wanted));
    });
  };
}
