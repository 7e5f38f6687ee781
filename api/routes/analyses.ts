// The file endpoints of svc-resonance, svc-fourier and svc-svceet: one route per task.
import type Router from '@koa/router';
import type { Middleware, ParameterizedContext } from 'koa';
import { emotionThresholds } from '../../models/bundle-catalog.ts';
import { catalog, mebibyte } from '../../models/catalog.ts';
import { ServiceError } from '../../models/errors.ts';
import type { Task } from '../../workflows/types.ts';
import type { AppDependencies, RequestState } from '../dependencies.ts';
import { authenticate, requireAllowance } from '../middleware/authenticate.ts';
import { limitConcurrency } from '../middleware/limit-concurrency.ts';
import { ignoredFieldsHeader, parseCommonFields, type CommonRequest } from '../upload/fields.ts';
import { liteModel, parseLiteFields, type LiteRequest } from '../upload/lite-fields.ts';
import { bodyTooLarge, readMultipart, type Fields } from '../upload/multipart.ts';
import { discardObjects, storeAudio, type StoredAudio } from '../upload/store-audio.ts';
import { toLiteResult } from '../wire/lite-result.ts';
import { toSpeechResult } from '../wire/speech-result.ts';

const { maxFileBytes } = catalog[0].limits;
/** contract.md: where the file is limited, the body may be 64 KiB larger. */
const maxBodyBytes = maxFileBytes + mebibyte / 16;
const maxFieldBytes = 4_096;

const paths: Readonly<Record<string, Task>> = {
  '/v1/audio/transcriptions': 'transcription',
  '/v1/audio/emotions': 'emotion',
  '/v1/audio/styles': 'style',
  '/v1/audio/affect': 'affect',
  '/v1/audio/analysis': 'analysis',
};

export function analysisRoutes(router: Router<RequestState>, dependencies: AppDependencies): void {
  // One bound over all of them: they share the process's memory.
  const concurrency = limitConcurrency(dependencies.maxConcurrentUploads);
  for (const [path, task] of Object.entries(paths)) {
    router.post(
      path,
      authenticate(dependencies.db),
      requireAllowance(dependencies.db),
      concurrency,
      analyse(task, dependencies),
    );
  }
}

function analyse(task: Task, dependencies: AppDependencies): Middleware<RequestState> {
  return async (ctx) => {
    const declared = Number(ctx.get('Content-Length') || 0);
    if (declared > maxBodyBytes) throw bodyTooLarge(maxBodyBytes, declared);
    if (/100-continue/i.test(ctx.get('Expect'))) ctx.res.writeContinue();
    const { organizationId } = ctx.state.account;
    const { accepted, audio } = await receive(dependencies, ctx.req, organizationId, (form) =>
      accept(task, form),
    );
    if (accepted.kind === 'lite') return transcribeLite(dependencies, ctx, accepted.request, audio);
    const { model, options, ignoredFields } = accepted.request;
    if (ignoredFields.length > 0) {
      ctx.set('X-Svc-Ignored-Fields', ignoredFieldsHeader(ignoredFields));
    }
    const { requestId, account } = ctx.state;
    const { keyId } = account;
    const request = { organizationId, keyId, requestId, task, model, options, audio };
    ctx.body = toSpeechResult(request, await dependencies.runs.run(request));
  };
}

type Accepted =
  | { readonly kind: 'common'; readonly request: CommonRequest }
  | { readonly kind: 'lite'; readonly request: LiteRequest };

/** The model field says which shape the others have to fit. */
function accept(task: Task, { fields, bytes }: Form): Accepted {
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
  const { organizationId, keyId, plan } = account;
  const finished = await runs.run({
    organizationId,
    keyId,
    requestId,
    task: request.emotionDetection ? 'analysis' : 'transcription',
    model: liteModel,
    options: request.options,
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
    subscription: plan !== 'credits',
    serverMs: performance.now() - startedAt,
    thresholds: emotionThresholds(liteModel),
  });
}

interface Form {
  readonly fields: Fields;
  /** Of the whole body. */
  readonly bytes: number;
}

/** Reads the body, stores the audio, checks the fields; a refusal leaves nothing behind. */
async function receive<T>(
  { db, objects, uploadDeadlines: deadlines }: AppDependencies,
  body: Parameters<typeof readMultipart>[0],
  organizationId: string,
  check: (form: Form) => T,
): Promise<{ accepted: T; audio: StoredAudio }> {
  let stored: StoredAudio | null = null;
  try {
    const limits = { maxBodyBytes, maxFileBytes, maxFieldBytes, deadlines };
    const { fields, file, bytes } = await readMultipart(body, limits, async (content, signal) => {
      stored = await storeAudio(content, { db, objects, organizationId, signal });
      return stored;
    });
    if (!file) {
      const message = 'The request has no part named `file` that holds a file.';
      throw new ServiceError('missing_file', message, { param: 'file' });
    }
    return { accepted: check({ fields, bytes }), audio: file };
  } catch (error) {
    const left = stored as StoredAudio | null;
    if (left) await discardObjects({ db, objects }, [left.key]);
    throw error;
  }
}
