// OpenAI's client repeats 5xx under new ids: not after an analysis that was charged, or may run.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { mock } from 'node:test';
import Router from '@koa/router';
import test, { type ExecutionContext } from 'ava';
import Koa from 'koa';
import OpenAI, { toFile } from 'openai';
import pino from 'pino';
import { createBodyGates } from '../../../api/http/body-slots.ts';
import { createCredentialFailures } from '../../../api/http/credential-failures.ts';
import { defaultUploadDeadlines } from '../../../api/http/deadlines.ts';
import { errorEnvelope } from '../../../api/http/middleware/error-envelope.ts';
import { limitConcurrency } from '../../../api/http/middleware/limit-concurrency.ts';
import { requestId } from '../../../api/http/middleware/request-id.ts';
import { createRequestThrottle } from '../../../api/http/request-throttle.ts';
import type { RequestState } from '../../../api/http/request-state.ts';
import { openAiRoutes } from '../../../api/openai-compatible/routes.ts';
import { createResultWriter } from '../../../api/results/result-writer.ts';
import { createRuns } from '../../../api/runs/runs.ts';
import { StartUnknown } from '../../../api/runs/workflow-runs.ts';
import { createKeyLeases } from '../../../db/key-leases.ts';
import type { ObjectStore } from '../../../db/objects/object-store.ts';
import { createFairGate } from '../../../models/fairness/fair-gate.ts';
import { anAccount, testDatabase } from '../../support/database.ts';
import { defaultBundles } from '../../support/default-bundles.ts';
import { testObjectStore } from '../../support/object-store.ts';
import { silence, toWav } from '../../support/speech.ts';

interface Faults {
  /** Fails the start of the workflow; otherwise its run completes at once. */
  readonly startError?: Error;
  readonly readResult: ObjectStore['getBytes'];
}

/** One call of OpenAI's client as it is. @returns the answers that it got */
async function answers(t: ExecutionContext, { startError, readResult }: Faults) {
  const [{ db }, stored] = await Promise.all([testDatabase(t), testObjectStore(t)]);
  const objects = Object.assign(Object.create(stored), { getBytes: readResult });
  const leases = createKeyLeases(db);
  t.teardown(() => leases.close());
  const runs = createRuns({
    ...{ db, objects, answerDeadlineMs: 600_000, spectraRuns: createFairGate(1) },
    workflows: {
      start: () => (startError ? Promise.reject(startError) : Promise.resolve({})),
      result: () => new Promise(() => {}),
    },
    completions: { next: () => ({ completed: Promise.resolve(), stop: () => {} }) },
  } as unknown as Parameters<typeof createRuns>[0]);
  const resultWriter = createResultWriter();
  t.teardown(() => resultWriter.close());
  const router = new Router<RequestState>();
  const dependencies = {
    ...{ db, objects, runs, resultWriter, uploadDeadlines: defaultUploadDeadlines },
    ...{ credentialFailures: createCredentialFailures(), throttle: createRequestThrottle() },
    bundles: defaultBundles,
  };
  openAiRoutes(
    router,
    dependencies as unknown as Parameters<typeof openAiRoutes>[1],
    limitConcurrency(leases, createBodyGates().uploads),
  );
  const app = new Koa<RequestState>();
  app.use((ctx, next) => {
    ctx.state.connection = { address: '127.0.0.1' } as RequestState['connection'];
    return next();
  });
  app.use(errorEnvelope(pino({ level: 'silent' })));
  app.use(requestId());
  app.use(router.routes());
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { key } = await anAccount(db);
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/openai/v1`;
  const seen: string[] = [];
  const client = new OpenAI({
    ...{ apiKey: key, baseURL: base },
    fetch: async (...request) => {
      const response = await fetch(...request);
      if (response.url.startsWith(base)) {
        const headers = ['X-Should-Retry', 'Retry-After'].map((name) => response.headers.get(name));
        seen.push([response.status, ...headers].join(' '));
      }
      return response;
    },
  });
  const file = await toFile(toWav(silence(1)), 'call.wav');
  const call = client.audio.transcriptions.create({ file, model: 'whisper-1' });
  await t.throwsAsync(call, { instanceOf: OpenAI.InternalServerError });
  return seen;
}

test('a charged result that cannot be written', async (t) => {
  const seen = await answers(t, { readResult: () => Promise.resolve(Buffer.alloc(40_000, '[')) });
  t.deepEqual(seen, ['500 false ']);
});

test.serial('a charged result that storage does not give', async (t) => {
  let nowMs = 0;
  const clock = mock.method(performance, 'now', () => nowMs);
  t.teardown(() => clock.mock.restore());
  const readResult = () => {
    nowMs += 30_000;
    return Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
  };
  t.deepEqual(await answers(t, { readResult }), ['503 false 2']);
});

test('an analysis that may have started', async (t) => {
  const startError = new StartUnknown(new Error('Temporal is silent'));
  const readResult = () => Promise.reject(new Error('unread'));
  t.deepEqual(await answers(t, { startError, readResult }), ['503 false 2']);
});
