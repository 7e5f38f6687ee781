// Batches over HTTP: every item ends once, results equal the synchronous ones, nothing is lost.
import test from 'ava';
import { batchItemSchema, batchSchema } from '../../api/batches/schemas.ts';
import { fileSchema } from '../../api/files/schemas.ts';
import { listOf } from '../../api/http/list-schemas.ts';
import { batchResultSchema } from '../../api/results/line-schemas.ts';
import { joinSamples } from '../../models/audio/samples.ts';
import { batchClipSeconds, clipSeconds } from '../../models/contract/clip.ts';
import type { ItemProgress } from '../../models/contract/item-progress.ts';
import {
  call,
  readBatch,
  readResults,
  startBatch,
  untilBatch,
  uploadFile,
} from '../support/batches.ts';
import { anAccount } from '../support/database.ts';
import { beyondClip, encode, silence, speech, toWav } from '../support/speech.ts';
import { postFile, testStack, transcribe } from '../support/stack.ts';
import { settledTraces, traces } from '../support/traces.ts';
import { until } from '../support/until.ts';

const sentences = [
  'The weather is nice today.',
  'My number is four seven one nine.',
  'Thank you very much for your help.',
];

async function longCall(repeats: number): Promise<Int16Array> {
  const sentence = await speech('Your call is important to us and will be answered soon.');
  return joinSamples(Array.from({ length: repeats }, () => joinSamples([sentence, silence(0.8)])));
}

test.serial('clips, a long call and a broken file: each item ends as it should', async (t) => {
  const stack = await testStack(t);
  const clips = await Promise.all(sentences.map(async (text) => toWav(await speech(text))));
  const long = toWav(beyondClip(await longCall(12)));
  // Five minutes in few bytes: treated as a clip until it is decoded.
  const call = toWav(beyondClip(await longCall(12), batchClipSeconds));
  const dense = await encode(call, 'opus', ['-b:a', '16k']);
  const broken = Buffer.concat([clips[0]!.subarray(0, 44), Buffer.alloc(3)]);
  const files = [...clips, long, dense, broken];
  const ids = await Promise.all(files.map((file) => uploadFile(stack, file)));
  const started = await startBatch(stack, ids);
  t.notThrows(() => batchSchema.parse(started));
  const batch = batchSchema.parse(await untilBatch(stack, started.id));
  t.like(batch, { status: 'completed', request_counts: { total: 6, completed: 5, failed: 1 } });
  t.is(batch.audio_seconds.left, 0);

  const results = (await readResults(stack, batch.id)).map((line) => batchResultSchema.parse(line));
  t.deepEqual(
    results.map((line) => line.custom_id),
    ids.map((_, i) => `item-${i}`),
  );
  t.deepEqual(
    results.map(({ status }) => status),
    ['completed', 'completed', 'completed', 'completed', 'completed', 'failed'],
  );
  t.is(results[5]!.error?.code, 'audio_undecodable');
  for (const [i, file] of files.slice(0, 5).entries()) {
    const { body } = await transcribe(stack, file);
    const { id: _, ...alone } = body;
    const { id: __, ...item } = results[i]!.result!;
    t.deepEqual(item, alone, `item ${i}`);
  }
  const noted = await stack.db.selectFrom('itemProgress').selectAll().orderBy('position').execute();
  t.deepEqual(
    noted.map(({ position, stage }) => `${position} ${stage}`),
    ['3 finishing', '4 finishing'],
    'long recordings say how far they are, clips do not',
  );
  t.true(noted[0]!.audioSeconds! > clipSeconds);
  const billed = results.flatMap(({ result }) => result?.usage.billable_seconds ?? []);
  t.is(
    batch.audio_seconds.done,
    billed.reduce((sum, seconds) => sum + seconds, 0),
  );
  const { debits } = await traces(stack);
  const ordered = (seconds: readonly number[]) => seconds.toSorted((a, b) => a - b);
  t.deepEqual(ordered(debits), ordered([...billed, ...billed]));
});

test.serial('an item whose file is gone fails alone, and at once', async (t) => {
  const stack = await testStack(t, { worker: false });
  const clip = toWav(await speech('Is it gray or green?'));
  const long = toWav(beyondClip(await longCall(1)));
  const ids = await Promise.all([clip, clip, long].map((file) => uploadFile(stack, file)));
  const { id } = await startBatch(stack, ids, { options: { vocabulary: ['gray'] } });
  const rows = await stack.db.selectFrom('files').select(['id', 'objectKey']).execute();
  const keyOf = (file: string | undefined) => rows.find((row) => row.id === file)!.objectKey;
  await stack.objects.delete([keyOf(ids[1]), keyOf(ids[2])]);
  await stack.startWorker();
  await untilBatch(stack, id);
  const results = await readResults(stack, id);
  t.deepEqual(
    results.map(({ status, error }) => error?.code ?? status),
    ['completed', 'missing_file', 'missing_file'],
  );
  const preferred = batchResultSchema.parse(results[0]).result;
  t.regex(preferred?.text ?? '', /gray/, 'a term of the batch is preferred');
});

test.serial('items are paged and filtered; files and batches are listed and deleted', async (t) => {
  const stack = await testStack(t);
  const id = await uploadFile(stack, toWav(await speech(sentences[0]!)));
  const { id: batchId } = await startBatch(stack, [id, id, id]);
  const busy = await call(stack, `/v1/files/${id}`, { method: 'DELETE' });
  const early = await call(stack, `/v1/batches/${batchId}`, { method: 'DELETE' });
  if (early.status === 409) t.is(early.body.error.code, 'batch_in_progress');
  if (busy.status === 409) t.is(busy.body.error.code, 'file_in_use');
  await untilBatch(stack, batchId);
  const page = await call(stack, `/v1/batches/${batchId}/items?limit=2`);
  const items = listOf(batchItemSchema, 'Items').parse(page.body);
  t.deepEqual([items.data.length, items.has_more], [2, true]);
  const rest = await call(stack, `/v1/batches/${batchId}/items?after=${items.last_id}`);
  t.deepEqual([rest.body.data.length, rest.body.has_more], [1, false]);
  const failed = await call(stack, `/v1/batches/${batchId}/items?status=failed`);
  t.deepEqual(failed.body.data, []);
  for (const query of ['limit=0', 'after=nobody', 'colour=red', 'status=odd']) {
    t.is((await call(stack, `/v1/batches/${batchId}/items?${query}`)).status, 400, query);
  }
  const listed = listOf(fileSchema, 'Files').parse((await call(stack, '/v1/files')).body);
  t.deepEqual(
    listed.data.map((file) => file.id),
    [id],
  );
  const batches = listOf(batchSchema, 'Batches').parse((await call(stack, '/v1/batches')).body);
  t.deepEqual(
    batches.data.map((batch) => batch.id),
    [batchId],
  );

  t.is((await call(stack, `/v1/batches/${batchId}`, { method: 'DELETE' })).status, 200);
  const next = await call(stack, `/console/data/recordings?after=${batchId}.0`);
  t.like(next, { status: 400 }, 'a search does not seem to end where its last row was deleted');
  t.is((await call(stack, `/v1/batches/${batchId}`)).status, 404);
  t.is((await call(stack, `/v1/files/${id}`)).status, 404);
  const left = await settledTraces(stack);
  t.deepEqual([left.objectKeys, left.objectRows, left.debits.length], [[], 0, 3]);
});

test.serial('an idempotency key makes one file and one batch, whatever is repeated', async (t) => {
  const stack = await testStack(t);
  const [one, other] = await Promise.all(
    sentences.slice(0, 2).map(async (text) => toWav(await speech(text))),
  );
  const headers = { 'Idempotency-Key': 'monday' };
  const send = (file: Buffer) => postFile(stack, '/v1/files', { file, headers });
  const uploads = await Promise.all([send(one!), send(one!), send(one!)]);
  t.deepEqual(
    uploads.map(({ status }) => status),
    [200, 200, 200],
  );
  t.is(new Set(uploads.map(({ body }) => body.id)).size, 1);
  t.is(uploads.filter((answer) => answer.headers.get('Idempotency-Replayed')).length, 2);
  t.is((await send(other!)).body.error.code, 'idempotency_conflict');
  const { id } = uploads[0]!.body;
  const body = { task: 'transcription', items: [{ custom_id: 'a', file_id: id }] };
  const order = (extra = {}) =>
    call(stack, '/v1/batches', { method: 'POST', body: { ...body, ...extra }, headers });
  const orders = await Promise.all([order(), order(), order()]);
  t.deepEqual(
    orders.map(({ status }) => status),
    [202, 202, 202],
  );
  t.is(new Set(orders.map((answer) => answer.body.id)).size, 1);
  t.is(orders[0]!.headers.get('Location'), `/v1/batches/${orders[0]!.body.id}`);
  t.is((await order({ task: 'analysis' })).body.error.code, 'idempotency_conflict');
  await untilBatch(stack, orders[0]!.body.id);
  const { debits, objectKeys } = await traces(stack);
  t.is(debits.length, 1);
  t.is(objectKeys.filter((key) => key.startsWith('uploads/')).length, 1);
});

/** No call ends before it is cancelled; meanwhile it takes no slot from the clip. */
const endless = {
  file: 'activities/analyze-span.ts',
  from: '  return runActivity((run) =>\n',
  to: `  return runActivity(async ({ signal }) => {
    signal.throwIfAborted();
    await new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  });
  return runActivity((run) =>
`,
};

test.serial('a cancelled batch frees the workers at once and charges nothing more', async (t) => {
  const stack = await testStack(t, { worker: false });
  await stack.startWorker([endless]);
  const long = await uploadFile(stack, toWav(beyondClip(await longCall(15))));
  const clip = await uploadFile(stack, toWav(await speech(sentences[0]!)));
  const { id } = await startBatch(stack, [clip, ...Array.from({ length: 12 }, () => long)]);
  const begun = await untilBatch(stack, id, (batch) => batch.request_counts.completed >= 1);
  const running = () => call(stack, `/v1/batches/${id}/items?status=running`);
  type Item = { readonly progress: ItemProgress | null };
  const inProgress = async (): Promise<Item | undefined> =>
    ((await running()).body.data as readonly Item[]).find((item) => item.progress);
  const { progress } = (await until(inProgress))!;
  t.true(progress!.share < 1, `${progress!.stage} is in progress`);
  const answer = await call(stack, `/v1/batches/${id}/cancel`, { method: 'POST' });
  t.is(answer.body.status, 'cancelling');
  const ended = await untilBatch(stack, id, (batch) => batch.cancelled_at !== null);
  const { completed, failed, cancelled } = ended.request_counts;
  t.deepEqual([completed + cancelled, failed], [13, 0]);
  // Work in progress was stopped, not finished first.
  t.is(completed, begun.request_counts.completed);
  const { body } = await transcribe(stack, toWav(await speech(sentences[1]!)));
  t.truthy(body.text);
  t.is((await call(stack, `/v1/batches/${id}/cancel`, { method: 'POST' })).status, 200);
  const open = await stack.db
    .selectFrom('ledger')
    .select(({ fn }) => ['kind', fn.countAll<string>().as('count')])
    .groupBy('kind')
    .execute();
  const count = (kind: string) => Number(open.find((row) => row.kind === kind)?.count ?? 0);
  t.is(count('reserve'), count('release'));
  t.is(count('debit'), completed + 1);
  t.is((await stack.objects.list('work/')).length, 0);
});

test.serial('progress arrives as events, until the batch has ended', async (t) => {
  const stack = await testStack(t);
  const id = await uploadFile(stack, toWav(await speech(sentences[0]!)));
  const { id: batchId } = await startBatch(stack, [id, id], { task: 'analysis' });
  const headers = { Authorization: `Bearer ${stack.account.key}` };
  const response = await fetch(`${stack.base}/v1/batches/${batchId}/events`, { headers });
  t.regex(response.headers.get('Content-Type') ?? '', /^text\/event-stream/);
  const text = await response.text();
  const events = [...text.matchAll(/^data: ?(.+)$/gm)].map(([, data]) => JSON.parse(data!));
  t.deepEqual([events.at(-1).status, /^id: ?ended$/m.test(text)], ['completed', true]);
  for (const event of events) t.notThrows(() => batchSchema.parse(event));
});

test.serial('another organization sees neither file nor batch', async (t) => {
  const stack = await testStack(t, { worker: false });
  const id = await uploadFile(stack, toWav(await speech(sentences[0]!)));
  const { id: batchId } = await startBatch(stack, [id]);
  const { key } = await anAccount(stack.db);
  for (const path of [`files/${id}`, `batches/${batchId}`, `batches/${batchId}/results`]) {
    t.is((await call(stack, `/v1/${path}`, { key })).status, 404, path);
  }
  const body = { task: 'emotion', items: [{ custom_id: 'a', file_id: id }] };
  const stolen = await call(stack, '/v1/batches', { method: 'POST', body, key });
  t.is(stolen.body.error.param, 'items.0.file_id');
  // No worker runs, so the batch waits and can be cancelled.
  t.is((await readBatch(stack, batchId)).status, 'validating');
});
