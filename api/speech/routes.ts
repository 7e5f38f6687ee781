// The endpoints that models share: one route per task, and the model field selects the form.
import type Router from '@koa/router';
import type { Middleware, ParameterizedContext } from 'koa';
import { thresholdsOf } from '../../models/bundles/catalog.ts';
import type { IdOfShape, ModelId } from '../../models/contract/catalog.ts';
import { servedAt } from '../../models/contract/served-models.ts';
import {
  sharedTaskPaths,
  sharedTasks,
  type SharedTask,
  type SpectraTask,
} from '../../models/contract/tasks.ts';
import { checkForm, nameIgnoredFields } from '../http/form.ts';
import { authenticate } from '../http/middleware/authenticate.ts';
import { rejectWithoutAccess } from '../http/middleware/require-access.ts';
import {
  rejectExhausted,
  requireAllowanceOrSession,
  sessionToken,
} from '../http/middleware/require-allowance.ts';
import { noParameters, readQuery } from '../http/query.ts';
import { parseLiteFields, type LiteRequest } from '../lite/request.ts';
import { toLiteResult } from '../lite/response.ts';
import { callerOf } from '../runs/caller.ts';
import { afterCompletion } from '../runs/work-in-hand.ts';
import { answerSpectra, type SpectraDependencies } from '../spectra-2/handler.ts';
import { checkAudioFile } from '../fields/audio-file.ts';
import { uploadLimits, withUpload, type Form } from '../upload/receive.ts';
import { fileAndModelForm } from '../fields/single-model.ts';
import type { OwnedUpload } from '../upload/store-upload.ts';
import { requireVocabulary } from '../fields/vocabulary.ts';
import { parseCommonFields, type CommonRequest } from './request.ts';
import type { RequestState } from '../http/request-state.ts';
import type { ResultWriter } from '../results/result-writer.ts';

export interface SpeechDependencies extends SpectraDependencies {
  readonly resultWriter: ResultWriter;
}

export function speechRoutes(
  router: Router<RequestState>,
  dependencies: SpeechDependencies,
  concurrency: Middleware<RequestState>,
): void {
  for (const task of sharedTasks) {
    router.post(
      sharedTaskPaths[task],
      authenticate(dependencies),
      requireAllowanceOrSession(dependencies.db, dependencies.sessions),
      concurrency,
      analyse(task, dependencies),
    );
  }
}

function analyse(task: SharedTask, dependencies: SpeechDependencies): Middleware<RequestState> {
  const served = servedAt(task);
  const limits = {
    ...uploadLimits(...served.map(({ id }) => id)),
    ofModel: (id: string) => served.find((row) => row.id === id)?.limits ?? null,
  };
  return (ctx) => {
    const { db, bundles } = dependencies;
    const { account } = ctx.state;
    const check = async (form: Form): Promise<Accepted> => {
      const accepted = accept(task, form);
      if (accepted.kind === 'common') requireVocabulary(accepted.request, bundles, 'vocabulary');
      else readQuery(ctx, noParameters);
      checkAudioFile(form, accepted.model);
      await rejectWithoutAccess(db, account, accepted.model);
      // A session covers Spectra-2 alone: another model is paid for by the account.
      const covered = accepted.kind === 'spectra' || sessionToken(ctx) === '';
      if (!covered) await rejectExhausted(db, ctx.state);
      return accepted;
    };
    return withUpload(dependencies, ctx, { limits, check }, async (accepted, upload) => {
      if (accepted.kind === 'lite') await transcribeLite(dependencies, ctx, accepted, upload);
      else if (accepted.kind === 'spectra')
        await answerSpectra(dependencies, ctx, accepted, upload);
      else await answerCommon(dependencies, ctx, { task, ...accepted.request }, upload);
    });
  };
}

/** Long recordings are among these: their results are written outside the event loop. */
async function answerCommon(
  { runs, resultWriter }: SpeechDependencies,
  ctx: ParameterizedContext<RequestState>,
  { task, model, options, ignoredFields }: CommonRequest & { readonly task: SharedTask },
  upload: OwnedUpload,
): Promise<void> {
  nameIgnoredFields(ctx, ignoredFields);
  ctx.type = 'application/json';
  const caller = callerOf(ctx.state);
  const { attempt, stored } = await runs.runStored({ ...caller, task, model, options, upload });
  const origin = { ...caller, task, model, attempt };
  const wanted = { kind: 'speech' } as const;
  ctx.body = await afterCompletion(() => resultWriter.write(stored, origin, wanted));
}

type Accepted =
  | { readonly kind: 'common'; readonly model: ModelId; readonly request: CommonRequest }
  | { readonly kind: 'lite'; readonly model: IdOfShape<'lite'>; readonly request: LiteRequest }
  | {
      readonly kind: 'spectra';
      readonly model: IdOfShape<'spectra-2'>;
      readonly task: SpectraTask;
    };

/** The model field selects the form that the other fields must fit. */
function accept(task: SharedTask, { fields }: Form): Accepted {
  const row = servedAt(task).find(({ id }) => id === fields.get('model'));
  if (row?.shape === 'spectra-2') {
    checkForm(fields, fileAndModelForm(row.id));
    return { kind: 'spectra', model: row.id as IdOfShape<'spectra-2'>, task: task as SpectraTask };
  }
  if (row?.shape === 'lite') {
    return { kind: 'lite', model: row.id as IdOfShape<'lite'>, request: parseLiteFields(fields) };
  }
  const request = parseCommonFields(task, fields);
  return { kind: 'common', model: request.model, request };
}

async function transcribeLite(
  { runs }: SpeechDependencies,
  ctx: ParameterizedContext<RequestState>,
  { model, request }: Extract<Accepted, { readonly kind: 'lite' }>,
  upload: OwnedUpload,
): Promise<void> {
  const startedAt = performance.now();
  const { requestId, account } = ctx.state;
  const finished = await runs.run({
    ...callerOf(ctx.state),
    task: request.emotionDetection ? 'analysis' : 'transcription',
    model,
    options: request.options,
    answer: { responseFormat: request.responseFormat },
    upload,
  });
  if (request.responseFormat === 'text') {
    ctx.type = 'text/plain; charset=utf-8';
    ctx.body = finished.result.text ?? '';
    return;
  }
  ctx.body = toLiteResult(finished, {
    requestId,
    model,
    request,
    plan: account.plan,
    answerMs: performance.now() - startedAt,
    thresholds: thresholdsOf(model)?.emotionThresholds ?? {},
  });
}
