// Run with the folder of a tree: prints how its API, its rules and its command line reflect the
// additions of docs/adding.md.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { Registry } from 'prom-client';

const folder = pathToFileURL(`${process.argv[2]}/`);
const load = (path: string): Promise<any> => import(new URL(path, folder).href);

/** The error of a call; null when it throws nothing. */
function errorCodeOf(call: () => unknown): string | null {
  try {
    call();
    return null;
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
}

function formOf(fields: Readonly<Record<string, string>>) {
  return Object.assign(new Map(Object.entries(fields)), { unusable: new Set(), maxFieldBytes: 99 });
}

const noRow = async (): Promise<undefined> => undefined;

async function modelFacts() {
  const { toModelList } = await load('api/catalog/response.ts');
  const { modelListSchema } = await load('api/catalog/schemas.ts');
  const { parseCommonFields } = await load('api/speech/request.ts');
  const { checkAudioFile } = await load('api/fields/audio-file.ts');
  const { batchRequestSchema } = await load('api/batches/schemas.ts');
  const { rejectWithoutAccess } = await load('api/http/middleware/require-access.ts');
  const { manifests } = await load('models/bundles/manifests.ts');
  const { toUsage } = await load('api/results/usage.ts');
  const { thresholdsOf } = await load('models/bundles/catalog.ts');
  const model = 'svc-example';
  const form = formOf({ model });
  const bytes = 2 * 2 ** 20 + 1;
  const wav = { bytes, file: { bytes, container: 'wav' } };
  // A database without a row: no organization has requested access.
  const db: object = new Proxy(
    {},
    { get: (_, name) => (name === 'executeTakeFirst' ? noRow : () => db) },
  );
  const { models, stepsOf } = await load('models/contract/served-models.ts');
  const listed = modelListSchema.parse(
    toModelList({
      available: true,
      bundles: { english: 'moonshine-tiny-en', assignments: new Map(), manifests },
    }),
  ).data;
  const items = [{ custom_id: 'a', file_id: `file-${'0'.repeat(24)}` }];
  return {
    rows: models.length,
    listed: listed.find(({ id }: { readonly id: string }) => id === model),
    languages: listed.find(({ id }: { readonly id: string }) => id === 'svc-spectra-2').languages,
    parsed: parseCommonFields('emotion', form).model,
    elsewhere: errorCodeOf(() => parseCommonFields('style', form)),
    tooLarge: errorCodeOf(() => checkAudioFile(wav, model)),
    batch: batchRequestSchema.parse({ task: 'emotion', model, items }).model,
    access: await rejectWithoutAccess(db, { organizationId: 'o', plan: 'trial' }, model).catch(
      (error: { readonly code: string }) => error.code,
    ),
    usage: toUsage({ model, task: 'emotion', audioSeconds: 30, billableSeconds: 30 }),
    scores: stepsOf({ model, task: 'emotion' }).scores && thresholdsOf(model) !== null,
  };
}

/** The answers to a batch of three items whose files do not exist. */
async function limitFacts() {
  const { createOrReplay } = await load('api/batches/create.ts');
  const { batchRequestSchema } = await load('api/batches/schemas.ts');
  const fileId = `file-${'0'.repeat(24)}`;
  const items = ['a', 'b', 'c'].map((customId) => ({
    customId,
    recording: { fileId },
    metadata: {},
  }));
  const requested = [{ custom_id: 'a', file_id: fileId }];
  const head = batchRequestSchema.parse({
    task: 'emotion',
    model: 'svc-example',
    items: requested,
  });
  // A database without a row.
  const none: object = new Proxy(
    {},
    { get: (_, name) => (name === 'execute' ? async () => [] : () => none) },
  );
  const codeFor = (plan: string): Promise<string> =>
    createOrReplay(
      { db: none },
      { account: { plan, vocabulary: [] } },
      { head, items, fingerprint: '' },
      null,
    ).catch((error: { readonly code: string }) => error.code);
  return { trial: await codeFor('trial'), subscription: await codeFor('subscription') };
}

/** Answers of the application to requests that need no key, and so no other part. */
async function answers() {
  const { createApp } = await load('api/app.ts');
  const closed = new Proxy({}, { get: () => () => undefined });
  const app = createApp({
    logger: pino({ level: 'silent' }),
    metrics: new Registry(),
    publicUrl: null,
    trustedProxies: [],
    bodies: closed,
    db: closed,
  });
  const server = createServer(app.callback()).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const get = async (path: string) => (await fetch(base + path)).json() as Promise<any>;
  const found = {
    pricing: await get('/v1/pricing'),
    overviewPage: await (await fetch(`${base}/console`)).text(),
    recordingPage: await (await fetch(`${base}/console/recording`)).text(),
    document: await get('/openapi.json'),
    example: await get('/v1/example?count=3'),
    rejected: await get('/v1/example?count=12'),
  };
  server.close();
  return found;
}

async function errorFacts() {
  const { ServiceError, isErrorCode } = await load('models/contract/errors.ts');
  const { toEnvelope } = await load('api/http/errors.ts');
  const error = new ServiceError('example_rejected', 'It is rejected.');
  return {
    known: isErrorCode('example_rejected'),
    status: error.status,
    body: toEnvelope(error, 'x'),
  };
}

const facts = {
  model: await modelFacts(),
  limit: await limitFacts(),
  answers: await answers(),
  error: await errorFacts(),
};
process.stdout.write(JSON.stringify(facts));
