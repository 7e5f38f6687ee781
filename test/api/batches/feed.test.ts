// Progress of batches for many listeners: one query serves all of them, each key has a limit, and a
// revoked key's streams end; states are sent in their order.
import test from 'ava';
import type { KyselyPlugin } from 'kysely';
import { createBatchFeed } from '../../../api/batches/feed.ts';
import { revokeKey } from '../../../db/api-keys.ts';
import { batchById } from '../../../db/batches.ts';
import { closeBatch } from '../../../db/close-batch.ts';
import { call, startBatch, uploadFile } from '../../support/batches.ts';
import { testDatabase } from '../../support/database.ts';
import { silence, toWav } from '../../support/speech.ts';
import { testStack, type TestStack } from '../../support/stack.ts';
import { aStoredBatch } from '../../support/stored-batch.ts';
import { until } from '../../support/until.ts';

/** Opens a stream of events. */
async function listen({ base, account }: TestStack, id: string) {
  const aborter = new AbortController();
  const response = await fetch(`${base}/v1/batches/${id}/events`, {
    headers: { Authorization: `Bearer ${account.key}` },
    signal: aborter.signal,
  });
  const reader = response.body!.getReader();
  let text = '';
  return {
    status: response.status,
    close: () => aborter.abort(),
    /** Waits until the text has arrived or the stream has ended. */
    async until(pattern: RegExp | null): Promise<string> {
      while (!pattern?.test(text)) {
        const { value, done } = await reader.read();
        if (done) break;
        text += Buffer.from(value).toString();
      }
      return text;
    },
  };
}

async function batchOf(stack: TestStack) {
  const file = await uploadFile(stack, toWav(silence(1)));
  return startBatch(stack, [file], { task: 'emotion' });
}

test('every listener receives the progress; the end of the batch ends them all', async (t) => {
  const stack = await testStack(t, { worker: false, feedLimits: { intervalMs: 50 } });
  const { id } = await batchOf(stack);
  const listeners = await Promise.all([1, 2, 3].map(() => listen(stack, id)));
  for (const one of listeners) t.regex(await one.until(/"request_counts"/), /event: ?batch/);
  const { status } = await call(stack, `/v1/batches/${id}/cancel`, { method: 'POST' });
  t.is(status, 200);
  for (const one of listeners) t.regex(await one.until(/cancell/), /cancell/);
  for (const one of listeners) one.close();
});

test('a key has a limit of concurrent listeners, and a closed one frees its slot', async (t) => {
  const feedLimits = { maxPerKey: 2, intervalMs: 50 };
  const stack = await testStack(t, { worker: false, feedLimits });
  const { id } = await batchOf(stack);
  const [first, second] = [await listen(stack, id), await listen(stack, id)];
  const third = await listen(stack, id);
  t.deepEqual([first.status, second.status, third.status], [200, 200, 429]);
  t.regex(await third.until(null), /rate_limited/);
  const headers = { Authorization: `Bearer ${stack.account.key}` };
  const head = await fetch(`${stack.base}/v1/batches/${id}/events`, { method: 'HEAD', headers });
  t.is(head.status, 200, 'it needs no slot');
  t.is(head.headers.get('content-type'), 'text/event-stream');
  first.close();
  let again = await listen(stack, id);
  while (again.status === 429) again = await listen(stack, id);
  t.is(again.status, 200);
  for (const one of [second, again]) one.close();
});

test('a key that is revoked receives no further events', async (t) => {
  const stack = await testStack(t, { worker: false, feedLimits: { intervalMs: 50 } });
  const { id } = await batchOf(stack);
  const one = await listen(stack, id);
  await one.until(/"request_counts"/);
  await revokeKey(stack.db, stack.account.keyId, 'test');
  t.regex(await one.until(null), /event: ?batch/, 'it has ended');
});

test('a feed that is closed ends its listeners and takes no more', async (t) => {
  const { db } = await testDatabase(t);
  const { account } = await aStoredBatch(db, ['call']);
  const feed = createBatchFeed(db);
  let ends = 0;
  const { unsubscribe } = feed.subscribe(account, () => void (ends += 1));
  feed.close();
  feed.close();
  t.is(ends, 1);
  unsubscribe();
  t.throws(() => feed.subscribe(account, () => {}), { message: /is stopping; try again/ });
});

test('a state that the database told before another is never sent behind it', async (t) => {
  const { db } = await testDatabase(t);
  const { batch, account } = await aStoredBatch(db, ['call']);
  const [asked, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isSecond = false;
  const late = new WeakSet<object>();
  const holding: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      if (isSecond) late.add(queryId);
      isSecond = false;
      return node;
    },
    transformResult: async ({ result, queryId }) => {
      if (!late.has(queryId)) return result;
      asked.resolve();
      await told.promise;
      return result;
    },
  };
  const feed = createBatchFeed(db.withPlugin(holding), { intervalMs: 20 });
  const listener = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const sent: string[] = [];
    const subscription = feed.subscribe(account, () => {
      sent.push('end');
      resolve();
    });
    t.teardown(() => subscription.unsubscribe());
    return { ...subscription, sent, ended: promise };
  };
  const [first, second] = [listener(), listener()];
  first.start(batch, ({ status }) => first.sent.push(status));
  await until(() => first.sent.length > 0);
  isSecond = true;
  second.start(batch, ({ status }) => second.sent.push(status));
  t.false(isSecond, 'its own query is the one that is held');
  await asked.promise;
  await closeBatch(db, batch.id, 'failed');
  await first.ended;
  told.resolve();
  await second.ended;
  // What was held asks twice more before it would be sent.
  for (let i = 0; i < 20; i += 1) await batchById(db, batch.id);
  for (const { sent } of [first, second]) {
    t.deepEqual(new Set(sent), new Set(['in_progress', 'failed', 'end']));
    t.deepEqual(sent.slice(-2), ['failed', 'end']);
  }
});
