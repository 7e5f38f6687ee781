// A suspended organization: its batches end, unfinished items are not charged, its events close.
import test from 'ava';
import { balanceOf } from '../../db/balance.ts';
import { admitItems, readItems } from '../../db/batch-items.ts';
import { batchById } from '../../db/batches.ts';
import { closeBatch } from '../../db/close-batch.ts';
import { setSuspended } from '../../db/organizations.ts';
import { claimRequest } from '../../db/requests.ts';
import { AccountSuspended } from '../../db/account-status.ts';
import { reserve, settle } from '../../db/settlement.ts';
import { joinSamples } from '../../models/audio/samples.ts';
import { startBatch, uploadFile } from '../support/batches.ts';
import { beyondClip, silence, speech, toWav } from '../support/speech.ts';
import { testStack, type TestStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

const actor = 'test';

const suspend = ({ db, account: { organizationId } }: TestStack): Promise<void> =>
  setSuspended(db, { organizationId, actor, suspended: true });

async function rows({ db }: TestStack, kind: 'debit' | 'reserve' | 'release'): Promise<number> {
  return (await db.selectFrom('ledger').select('id').where('kind', '=', kind).execute()).length;
}

/** No call ends before its organization is suspended. */
const endless = {
  file: 'activities/analyze-span.ts',
  from: '      finished += 1;\n',
  to: `      for (;;) {
        await requireActiveBatchAccount(dependencies, recording);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
`,
};

test.serial('a running batch ends at once: no further charge, no reservation left', async (t) => {
  const stack = await testStack(t, { worker: false });
  await stack.startWorker([endless]);
  const sentence = await speech('Your call is important to us and will be answered soon.');
  const block = joinSamples([sentence, silence(0.8)]);
  const long = beyondClip(joinSamples(Array.from({ length: 15 }, () => block)));
  const [clip, call] = await Promise.all(
    [sentence, long].map((samples) => uploadFile(stack, toWav(samples))),
  );
  const files = [clip!, ...Array.from({ length: 10 }, () => call!)];
  const { id } = await startBatch(stack, files, { options: { diarize: true } });
  const events = await fetch(`${stack.base}/v1/batches/${id}/events`, {
    headers: { Authorization: `Bearer ${stack.account.key}` },
  });
  await until(async () => (await rows(stack, 'reserve')) >= 2);
  await suspend(stack);
  const charged = await rows(stack, 'debit');
  await events.text();
  t.pass('the events have ended');
  await until(async () => (await batchById(stack.db, id))?.endedAt);
  t.is((await batchById(stack.db, id))!.status, 'failed');
  const items = await readItems(stack.db, id, { from: 0, to: files.length });
  for (const { status, error } of items) {
    t.true(status === 'completed' || error?.code === 'account_suspended', `${status}`);
  }
  t.true(items.filter(({ status }) => status === 'failed').length >= 10);
  // An item that was being settled at that time may have finished.
  t.true((await rows(stack, 'debit')) <= charged + 1);
  t.is(await rows(stack, 'reserve'), await rows(stack, 'release'));
  t.deepEqual(await stack.objects.list('work/'), []);
});

test.serial(
  'what a caller waits for is finished once it is reserved, and rejected before',
  async (t) => {
    const stack = await testStack(t, { worker: false });
    const { organizationId, keyId } = stack.account;
    const named = { organizationId, keyId, fingerprint: 'f', task: 'emotion', uploadKey: 'u' };
    const ref = (requestId: string) => ({ organizationId, requestId, attempt: 1 });
    for (const requestId of ['early', 'late']) {
      await claimRequest(stack.db, {
        ...named,
        requestId,
        model: 'svc-resonance',
        ratePerMinute: 8_000,
      });
    }
    await reserve(stack.db, ref('early'), 10);
    await suspend(stack);
    await t.throwsAsync(reserve(stack.db, ref('late'), 10), { instanceOf: AccountSuspended });
    await settle(stack.db, ref('early'), 10);
    t.is((await balanceOf(stack.db, organizationId)).usedSeconds, 10);
  },
);

test.serial(
  'an item that was reserved is not charged, and those never begun say why',
  async (t) => {
    const stack = await testStack(t, { worker: false });
    const file = await uploadFile(stack, toWav(silence(1)));
    const { id } = await startBatch(stack, [file, file, file]);
    const batch = (await batchById(stack.db, id))!;
    await admitItems(stack.db, batch, { from: 0, to: 1, ratePerMinute: 8_000 });
    const { organizationId } = stack.account;
    const ref = { organizationId, requestId: `${id} 0`, attempt: 1 };
    await reserve(stack.db, ref, 10);
    await suspend(stack);
    await t.throwsAsync(settle(stack.db, ref, 10), { instanceOf: AccountSuspended });
    t.is((await closeBatch(stack.db, id, 'failed')).status, 'failed');
    const items = await readItems(stack.db, id, { from: 0, to: 3 });
    t.deepEqual(
      items.map(({ error }) => error?.code),
      ['account_suspended', 'account_suspended', 'account_suspended'],
    );
    t.is((await balanceOf(stack.db, organizationId)).usedSeconds, 0);
  },
);
