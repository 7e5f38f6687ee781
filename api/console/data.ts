// The data of the console's pages that no endpoint of the API gives: overview, search, one
// recording with its sound, names of speakers. They take the API's keys.
import type Router from '@koa/router';
import type { Middleware, ParameterizedContext } from 'koa';
import type { z } from 'zod';
import { balanceOf } from '../../db/balance.ts';
import type { Db } from '../../db/database.ts';
import { readItems } from '../../db/batch-items.ts';
import { findBatch } from '../../db/batches.ts';
import { findFile } from '../../db/files.ts';
import { objectPieces } from '../../db/objects/object-pieces.ts';
import {
  findRecordings,
  nameSpeakers,
  speakersOf,
  totalsByLabel,
  totalsByLanguage,
  type RecordingPlace,
} from '../../db/recordings.ts';
import { usageByDay } from '../../db/usage-report.ts';
import { emotionLabels, styleLabels } from '../../models/contract/labels.ts';
import { mediaTypesOf } from '../../models/contract/containers.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { isRemote } from '../../models/contract/recording-request.ts';
import { redactionKinds } from '../../models/contract/redaction.ts';
import type { StoredBatch } from '../../db/batch-tables.ts';
import { optionsOf } from '../batches/batch-options.ts';
import { toBatchBody, toItemBody } from '../batches/response.ts';
import { requireResult, writeStoredResult } from '../batches/result-lines.ts';
import { countItems } from '../../db/batch-counts.ts';
import { runStep, streamInPace } from '../http/answer-pace.ts';
import { readJson } from '../http/json.ts';
import { invalid } from '../http/form-errors.ts';
import { authenticate } from '../http/middleware/authenticate.ts';
import { readQuery } from '../http/query.ts';
import type { RequestState } from '../http/request-state.ts';
import type { BatchDependencies } from '../batches/dependencies.ts';
import {
  itemQuerySchema,
  overviewQuerySchema,
  resultQuerySchema,
  searchQuerySchema,
  speakerNamesSchema,
} from './data-schemas.ts';
import { firstDay, toOverview, toRecordingBody, toSearch } from './views.ts';

type Ctx = ParameterizedContext<RequestState>;
const maxBodyBytes = 16_384;

export function consoleDataRoutes(
  router: Router<RequestState>,
  dependencies: BatchDependencies,
): void {
  const { db } = dependencies;
  const account = authenticate(dependencies);
  const uncached: Middleware<RequestState> = (ctx, next) => {
    ctx.set('Cache-Control', 'no-store');
    return next();
  };
  router.get('/console/data/overview', account, uncached, async (ctx) => {
    const { days } = readQuery(ctx, overviewQuerySchema);
    const { organizationId } = ctx.state.account;
    ctx.body = await runStep(organizationId, () => overview(dependencies, organizationId, days));
  });
  router.get('/console/data/recordings', account, uncached, async (ctx) => {
    const search = toSearch(readQuery(ctx, searchQuerySchema));
    const { organizationId } = ctx.state.account;
    const { rows, more } = await runStep(organizationId, () =>
      findRecordings(db, organizationId, search),
    );
    // An empty page would say that the list has ended.
    if (rows.length === 0 && search.after !== null)
      await requireStart(db, organizationId, search.after);
    ctx.body = { data: rows.map(toRecordingBody), has_more: more };
  });
  router.get('/console/data/recording', account, uncached, async (ctx) => {
    const { batch, item } = await requireItem(dependencies, ctx, readQuery(ctx, itemQuerySchema));
    const { organizationId } = ctx.state.account;
    const file = await findFile(db, organizationId, item.fileId);
    const isPlayed = file !== null && !isRedacted(batch);
    ctx.body = {
      batch: toBatchBody(batch, await countItems(db, batch), Date.now()),
      item: toItemBody(item),
      speakers: await speakersOf(db, batch.id, item.position),
      labels: { emotions: emotionLabels, styles: styleLabels },
      /** null once the file is deleted or has expired, and for redacted batches. */
      audio: isPlayed ? { expires_at: Math.floor(file.expiresAt.getTime() / 1_000) } : null,
      redacted: isRedacted(batch),
    };
  });
  router.get('/console/data/result', account, uncached, async (ctx) => {
    const { view, ...place } = readQuery(ctx, resultQuerySchema);
    const { batch, item } = await requireItem(dependencies, ctx, place);
    requireResult(item);
    const redaction = view === 'redacted' ? { kinds: redactionKinds, names: [] } : null;
    const names = (await speakersOf(dependencies.db, batch.id, item.position)) ?? [];
    const { channelRoles } = optionsOf(batch);
    const wanted = { kind: 'recording', redaction, names, channelRoles } as const;
    ctx.type = 'application/json';
    ctx.body = await writeStoredResult(dependencies, batch, item.position, wanted);
  });
  router.get('/console/data/audio', account, uncached, playAudio(dependencies));
  router.put('/console/data/speakers', account, uncached, async (ctx) => {
    const { batch, item } = await requireItem(dependencies, ctx, readQuery(ctx, itemQuerySchema));
    const body = { schema: speakerNamesSchema, maxBodyBytes };
    const { speakers } = await readJson(dependencies, ctx, body);
    const { organizationId } = ctx.state.account;
    const named = { batchId: batch.id, position: item.position, speakers };
    if (!(await nameSpeakers(db, organizationId, named))) {
      const known = await speakersOf(db, batch.id, item.position);
      const wanted = `a name for each of the ${known?.length ?? 0} speakers`;
      const message = `\`speakers\` must hold ${wanted}, got ${speakers.length}.`;
      throw new ServiceError('invalid_field', message, { param: 'speakers' });
    }
    ctx.body = { speakers };
  });
}

/** @throws ServiceError invalid_field when the recording is deleted */
async function requireStart(
  db: Db,
  organizationId: string,
  { batchId, position }: RecordingPlace,
): Promise<void> {
  const batch = await findBatch(db, organizationId, batchId);
  if (batch && (await speakersOf(db, batchId, position)) !== null) return;
  throw invalid('after', 'The last recording of the page before is deleted; search again.');
}

function isRedacted(batch: StoredBatch): boolean {
  const { redactKinds = [], redactNames, organizationRedaction } = optionsOf(batch);
  return redactKinds.length > 0 || Boolean(redactNames ?? organizationRedaction);
}

/** The sound of an item. */
function playAudio(dependencies: BatchDependencies): Middleware<RequestState> {
  const { db, objects } = dependencies;
  return async (ctx) => {
    const { batch, item } = await requireItem(dependencies, ctx, readQuery(ctx, itemQuerySchema));
    // What was redacted from the words can still be heard.
    if (isRedacted(batch)) throw new ServiceError('not_found', 'Redacted batches have no sound.');
    const file = await findFile(db, ctx.state.account.organizationId, item.fileId);
    if (!file) throw new ServiceError('not_found', 'The recording is not kept any more.');
    if (isRemote(item.upload)) throw new ServiceError('not_found', 'It was not fetched yet.');
    const pieces = objectPieces(objects, item.upload);
    const body = await streamInPace(batch.organizationId, pieces);
    ctx.type = mediaTypesOf([item.upload.container]);
    ctx.length = item.upload.bytes;
    ctx.body = body;
  };
}

async function overview({ db }: BatchDependencies, organizationId: string, days: number) {
  const nowMs = Date.now();
  const from = firstDay(nowMs, days);
  const [balance, usage, languages, labels] = await Promise.all([
    balanceOf(db, organizationId),
    usageByDay(db, { organizationId, from }),
    totalsByLanguage(db, organizationId, new Date(from)),
    totalsByLabel(db, organizationId, new Date(from)),
  ]);
  return toOverview({ balance, usage, languages, labels, nowMs, days });
}

/** @throws ServiceError not_found, also for a batch of another organization */
async function requireItem(
  { db }: BatchDependencies,
  ctx: Ctx,
  query: z.infer<typeof itemQuerySchema>,
) {
  const batch = await findBatch(db, ctx.state.account.organizationId, query.batch);
  const range = { from: query.item, to: query.item + 1 };
  const [item] = batch ? await readItems(db, batch.id, range) : [];
  if (!batch || !item) throw new ServiceError('not_found', 'There is no such recording.');
  return { batch, item };
}
