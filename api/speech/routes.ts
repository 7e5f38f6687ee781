// The endpoints that models share: one route per task, and the model field selects the form.
import type Router from '@koa/router';
import type { Middleware, ParameterizedContext } from 'koa';
import { thresholdsOf } from '../../models/bundles/catalog.ts';
import type { IdOfShape, ModelId } from '../../models/contract/catalog.ts';
import { commonModels, servedAt } from '../../models/contract/served-models.ts';
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
import { parseLiteFields, type LiteRequest } from '../lite/request.ts';
import { toLiteResult } from '../lite/response.ts';
import { callerOf } from '../runs/caller.ts';
import { answerSpectra, type SpectraDependencies } from '../spectra-2/handler.ts';
import { checkAudioFile } from '../upload/audio-file.ts';
import { receiveUpload, uploadLimits, type Form } from '../upload/receive.ts';
import { fileAndModelForm } from '../upload/single-model.ts';
import { discardObjects, type StoredAudio } from '../upload/store-audio.ts';
import { parseCommonFields, type CommonRequest } from './request.ts';
import type { RequestState } from '../http/request-state.ts';
import type { ResultWriter } from '../results/writer.ts';

export interface SpeechDependencies extends SpectraDependencies {
  readonly resultWriter: ResultWriter;
}

export function analysisRoutes(
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
    ...uploadLimits(...commonModels),
    rawSamples: true,
    maxBodyBytesOf: (id: string) =>
      served.find((row) => row.id === id)?.limits.maxBodyBytes ?? null,
  } as const;
  return async (ctx) => {
    const { accepted, audio } = await receiveUpload(dependencies, ctx, limits, async (form) => {
      const found = accept(task, form);
      checkAudioFile(form, found.model);
      await rejectWithoutAccess(dependencies.db, ctx.state.account, found.model);
      return found;
    });
    if (accepted.kind !== 'spectra') await rejectUncovered(dependencies, ctx, audio);
    if (accepted.kind === 'lite') return transcribeLite(dependencies, ctx, accepted, audio);
    if (accepted.kind === 'spectra') return answerSpectra(dependencies, ctx, accepted, audio);
    const { model, options, ignoredFields } = accepted.request;
    nameIgnoredFields(ctx, ignoredFields);
    const request = { ...callerOf(ctx.state), task, model, options, audio };
    ctx.type = 'application/json';
    const { attempt, stored } = await dependencies.runs.runStored(request);
    const origin = { ...callerOf(ctx.state), task, model, attempt };
    ctx.body = await dependencies.resultWriter.write(stored, origin, { kind: 'speech' });
  };
}

/** A session pays for Spectra-2 alone; any other model is paid from the account. */
async function rejectUncovered(
  { db, objects }: SpeechDependencies,
  ctx: ParameterizedContext<RequestState>,
  { key }: StoredAudio,
): Promise<void> {
  if (sessionToken(ctx) === '') return;
  await rejectExhausted(db, ctx.state.account).catch(async (error: unknown) => {
    await discardObjects({ db, objects }, [key]);
    throw error;
  });
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
  audio: StoredAudio,
): Promise<void> {
  const startedAt = performance.now();
  const { requestId, account } = ctx.state;
  const finished = await runs.run({
    ...callerOf(ctx.state),
    task: request.emotionDetection ? 'analysis' : 'transcription',
    model,
    options: request.options,
    answer: { responseFormat: request.responseFormat },
    audio,
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
    subscription: account.plan !== 'credits',
    serverMs: performance.now() - startedAt,
    thresholds: thresholdsOf(model)?.emotionThresholds ?? {},
  });
}
