// What callers are told who still wait when the time of an API that was asked to stop is over.
import { once } from 'node:events';
import test, { type ExecutionContext } from 'ava';
import { idHash } from '../../db/object-keys.ts';
import { requestWorkflowId } from '../../workflows/ids.ts';
import { startBatch, uploadFile } from '../support/batches.ts';
import type { Patch } from '../support/patches.ts';
import { tone, toWav } from '../support/speech.ts';
import { testStack, transcribe, type TestStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

/** The API ends its waits soon, and has long to answer. */
const shortDrain: readonly Patch[] = [
  { file: 'bin/api.ts', from: 'const drainMs = 25_000;', to: 'const drainMs = 300_000;' },
  { file: 'bin/api.ts', from: 'const answeringMs = 4_000;', to: 'const answeringMs = 299_000;' },
];

const requestId = 'waits';

function workflowOf({ client, account }: TestStack) {
  return client.workflow.getHandle(requestWorkflowId(account.organizationId, idHash(requestId)));
}

/** Its workflow runs, and nobody works for it. */
async function whileWaiting(t: ExecutionContext) {
  const stack = await testStack(t, { worker: false });
  const { base, child } = await stack.startApi(shortDrain);
  const clip = toWav(tone(440, 1));
  const answer = transcribe({ ...stack, base }, clip, { requestId });
  answer.catch(() => {});
  await until(() =>
    workflowOf(stack)
      .describe()
      .then(
        () => true,
        () => false,
      ),
  );
  return { stack, base, child, clip, answer };
}

test('who waits for an API that stops is told so, and not charged', async (t) => {
  const { stack, base, child, clip, answer } = await whileWaiting(t);
  const { id } = await startBatch({ ...stack, base }, [await uploadFile(stack, clip)]);
  const events = await fetch(`${base}/v1/batches/${id}/events`, {
    headers: { Authorization: `Bearer ${stack.account.key}` },
  });
  t.is(events.status, 200);
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const { status, headers, body } = await answer;
  t.is(status, 503);
  t.like(body.error, { code: 'not_ready', request_id: requestId });
  t.regex(headers.get('Retry-After')!, /^[1-9]/);
  t.regex(await events.text(), /^retry: ?1000/, 'events end too, to be asked for elsewhere');
  t.deepEqual(await exit, [0, null]);
  t.deepEqual(await stack.db.selectFrom('ledger').selectAll().execute(), []);
  t.is((await workflowOf(stack).describe()).status.name, 'TERMINATED');
  void transcribe(stack, clip, { requestId }).catch(() => {});
  const attempt = (): Promise<unknown> =>
    stack.db.selectFrom('requests').select(['attempt', 'state']).executeTakeFirst();
  await until(async () => (await workflowOf(stack).describe()).status.name === 'RUNNING');
  t.deepEqual(await attempt(), { attempt: 2, state: 'admitted' });
});
