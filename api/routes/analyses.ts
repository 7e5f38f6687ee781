// The file endpoints of svc-resonance and svc-fourier: one route per task.
import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { catalog, mebibyte } from '../../models/catalog.ts';
import { ServiceError } from '../../models/errors.ts';
import type { Task } from '../../workflows/types.ts';
import type { AppDependencies, RequestState } from '../dependencies.ts';
import { authenticate, requireAllowance } from '../middleware/authenticate.ts';
import { limitConcurrency } from '../middleware/limit-concurrency.ts';
import { ignoredFieldsHeader, parseCommonFields, type CommonRequest } from '../upload/fields.ts';
import { bodyTooLarge, readMultipart } from '../upload/multipart.ts';
import { discardObjects, storeAudio, type StoredAudio } from '../upload/store-audio.ts';
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
    const { requestId, account } = ctx.state;
    const { organizationId, keyId } = account;
    const declared = Number(ctx.get('Content-Length') || 0);
    if (declared > maxBodyBytes) throw bodyTooLarge(maxBodyBytes, declared);
    if (/100-continue/i.test(ctx.get('Expect'))) ctx.res.writeContinue();

    const { common, audio } = await receive(task, dependencies, ctx.req, organizationId);
    if (common.ignoredFields.length > 0) {
      ctx.set('X-Svc-Ignored-Fields', ignoredFieldsHeader(common.ignoredFields));
    }
    const { model, options } = common;
    const request = { organizationId, keyId, requestId, task, model, options, audio };
    ctx.body = toSpeechResult(request, await dependencies.runs.run(request));
  };
}

/** Reads the body, stores the audio, checks the fields; a refusal leaves nothing behind. */
async function receive(
  task: Task,
  { db, objects, uploadDeadlines: deadlines }: AppDependencies,
  body: Parameters<typeof readMultipart>[0],
  organizationId: string,
): Promise<{ common: CommonRequest; audio: StoredAudio }> {
  let stored: StoredAudio | null = null;
  try {
    const limits = { maxBodyBytes, maxFileBytes, maxFieldBytes, deadlines };
    const { fields, file } = await readMultipart(body, limits, async (content, signal) => {
      stored = await storeAudio(content, { db, objects, organizationId, signal });
      return stored;
    });
    if (!file) {
      const message = 'The request has no part named `file` that holds a file.';
      throw new ServiceError('missing_file', message, { param: 'file' });
    }
    const common = parseCommonFields(task, fields);
    return { common, audio: file };
  } catch (error) {
    const left = stored as StoredAudio | null;
    if (left) await discardObjects({ db, objects }, [left.key]);
    throw error;
  }
}
