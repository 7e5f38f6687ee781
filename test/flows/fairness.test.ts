// Organizations share the bulk queue: a small batch does not wait for the large one before it.
import test from 'ava';
import { readBatch, startBatch, untilBatch, uploadFile } from '../support/batches.ts';
import { anAccount } from '../support/database.ts';
import { speech, toWav } from '../support/speech.ts';
import { testStack, untilReady } from '../support/stack.ts';

test.serial('a small batch of another organization overtakes a large one', async (t) => {
  const stack = await testStack(t);
  await untilReady(stack);
  const second = { ...stack, account: await anAccount(stack.db, { allowanceSeconds: 36_000 }) };
  const clip = toWav(await speech('My number is four seven one nine.'));
  const [file, other] = [await uploadFile(stack, clip), await uploadFile(second, clip)];
  const large = await startBatch(
    stack,
    Array.from({ length: 600 }, () => file),
  );
  await untilBatch(stack, large.id, ({ request_counts: counts }) => counts.completed > 0);
  const small = await startBatch(
    second,
    Array.from({ length: 50 }, () => other),
  );
  await untilBatch(second, small.id);
  const { request_counts: counts } = await readBatch(stack, large.id);
  // Four groups of 25 are under way when it comes, and every other one after them is its own.
  t.true(counts.completed <= 300, `${counts.completed} of 600 were done`);
  t.log(`${counts.completed} of 600 were done`);
  await untilBatch(stack, large.id);
});
