// Organizations share the bulk queue: a small batch does not wait for the large one before it.
import test from 'ava';
import { call, readBatch, startBatch, untilBatch, uploadFile } from '../support/batches.ts';
import { anAccount } from '../support/database.ts';
import { tone, toWav } from '../support/speech.ts';
import { testStack, untilReady } from '../support/stack.ts';

test.serial('a small batch of another organization overtakes a large one', async (t) => {
  const stack = await testStack(t);
  await untilReady(stack);
  const second = { ...stack, account: await anAccount(stack.db, { allowanceSeconds: 36_000 }) };
  const clip = toWav(tone(440, 0.3));
  const [file, other] = [await uploadFile(stack, clip), await uploadFile(second, clip)];
  const task = 'emotion';
  const large = await startBatch(
    stack,
    Array.from({ length: 2_000 }, () => file),
    { task },
  );
  await untilBatch(stack, large.id, ({ request_counts: counts }) => counts.completed > 0);
  const before = (await readBatch(stack, large.id)).request_counts.completed;
  const small = await startBatch(
    second,
    Array.from({ length: 50 }, () => other),
    { task },
  );
  await untilBatch(second, small.id);
  const meanwhile = (await readBatch(stack, large.id)).request_counts.completed - before;
  t.log(`${meanwhile} of 2000 were done meanwhile`);
  // 800 are in the queue before it, 100 under way.
  t.true(meanwhile <= 600, `${meanwhile} were done meanwhile`);
  await call(stack, `/v1/batches/${large.id}/cancel`, { method: 'POST' });
  await untilBatch(stack, large.id, (batch) => batch.cancelled_at !== null);
});
