// The file endpoints of svc-resonance, svc-fourier and svc-svceet: one route per task.
import { spectraModel, liteModel } from '../../models/contract/catalog.ts';
import type Router from '@koa/router';
import type { Middleware, ParameterizedContext } from 'koa';
import { emotionThresholds } from '../../models/bundles/catalog.ts';
import type { AppDependencies, RequestState } from '../dependencies.ts';
import { callerOf } from '../runs/caller.ts';
import { authenticate } from '../http/middleware/authenticate.ts';
import {
  refuseExhausted,
  requireAllowanceOrSession,
  sessionToken,
} from '../http/middleware/require-allowance.ts';
import {
  nameIgnoredFields,
  parseCommonFields,
  type CommonRequest,
  type SpeechTask,
} from './request.ts';
import { maxLiteBodyBytes, parseLiteFields, type LiteRequest } from '../lite/request.ts';
import { receiveUpload, uploadLimits, type Form } from '../upload/receive.ts';
import { discardObjects, type StoredAudio } from '../upload/store-audio.ts';
import { checkSpectraForm, maxSpectraBodyBytes, refuseRawSamples } from '../spectra-2/request.ts';
import { toLiteResult } from '../lite/response.ts';
import type { SpectraTask } from '../streams/protocols/spectra-start.ts';
import { answerSpectra } from '../spectra-2/handler.ts';

/** Both models of the common shape have the same; the strict shapes are checked once known. */
const limits = { ...uploadLimits('svc-resonance'), rawSamples: true } as const;

/** Of the strict shapes, as soon as the form says which it is. */
function bodyLimitOf(task: SpeechTask, model: string): number | null {
  if (model === liteModel && task === 'transcription') return maxLiteBodyBytes;
  return model === spectraModel && takesSpectra(task) ? maxSpectraBodyBytes : null;
}

function takesSpectra(task: SpeechTask): task is SpectraTask {
  return task === 'transcription' || task === 'analysis';
}

const paths: Readonly<Record<string, SpeechTask>> = {
  '/v1/audio/transcriptions': 'transcription',
  '/v1/audio/emotions': 'emotion',
  '/v1/audio/styles': 'style',
  '/v1/audio/affect': 'affect',
  '/v1/audio/analysis': 'analysis',
};

export function analysisRoutes(
  router: Router<RequestState>,
  dependencies: AppDependencies,
  concurrency: Middleware<RequestState>,
): void {
  for (const [path, task] of Object.entries(paths)) {
    router.post(
      path,
      authenticate(dependencies),
      requireAllowanceOrSession(dependencies.db, dependencies.sessions),
      concurrency,
      analyse(task, dependencies),
    );
  }
}

function analyse(task: SpeechTask, dependencies: AppDependencies): Middleware<RequestState> {
  const maxBodyBytesOf = (model: string) => bodyLimitOf(task, model);
  const shared = { ...limits, maxBodyBytesOf };
  return async (ctx) => {
    const { accepted, audio } = await receiveUpload(dependencies, ctx, shared, (form) =>
      accept(task, form),
    );
    if (accepted.kind !== 'spectra') await refuseUncovered(dependencies, ctx, audio);
    if (accepted.kind === 'lite') return transcribeLite(dependencies, ctx, accepted.request, audio);
    if (accepted.kind === 'spectra') return answerSpectra(dependencies, ctx, accepted.task, audio);
    const { model, options, ignoredFields } = accepted.request;
    nameIgnoredFields(ctx, ignoredFields);
    const request = { ...callerOf(ctx.state), task, model, options, audio };
    ctx.type = 'application/json';
    const { attempt, stored } = await dependencies.runs.runStored(request);
    const origin = { ...callerOf(ctx.state), task, model, attempt };
    ctx.body = await dependencies.resultWriter.write(stored, origin, { kind: 'speech' });
  };
}

/** A session covers Spectra-2 alone: what another model costs must come out of the account. */
async function refuseUncovered(
  { db, objects }: AppDependencies,
  ctx: ParameterizedContext<RequestState>,
  { key }: StoredAudio,
): Promise<void> {
  if (sessionToken(ctx) === '') return;
  await refuseExhausted(db, ctx.state.account).catch(async (error: unknown) => {
    await discardObjects({ db, objects }, [key]);
    throw error;
  });
}

type Accepted =
  | { readonly kind: 'common'; readonly request: CommonRequest }
  | { readonly kind: 'lite'; readonly request: LiteRequest }
  | { readonly kind: 'spectra'; readonly task: SpectraTask };

/** The model field says which shape the others have to fit. */
function accept(task: SpeechTask, form: Form): Accepted {
  const { fields, bytes } = form;
  if (takesSpectra(task) && fields.get('model') === spectraModel) {
    checkSpectraForm(form);
    return { kind: 'spectra', task };
  }
  refuseRawSamples(form);
  if (task === 'transcription' && fields.get('model') === liteModel) {
    return { kind: 'lite', request: parseLiteFields(fields, bytes) };
  }
  return { kind: 'common', request: parseCommonFields(task, fields) };
}

async function transcribeLite(
  { runs }: AppDependencies,
  ctx: ParameterizedContext<RequestState>,
  request: LiteRequest,
  audio: StoredAudio,
): Promise<void> {
  const startedAt = performance.now();
  const { requestId, account } = ctx.state;
  const finished = await runs.run({
    ...callerOf(ctx.state),
    task: request.emotionDetection ? 'analysis' : 'transcription',
    model: liteModel,
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
    request,
    subscription: account.plan !== 'credits',
    serverMs: performance.now() - startedAt,
    thresholds: emotionThresholds(liteModel),
  });
}
