// Repeats of requests that were charged: they run with whatever is left, and cost nothing more.
import test from 'ava';
import fc from 'fast-check';
import { balanceOf, hasAllowance } from '../../db/balance.ts';
import type { Db } from '../../db/database.ts';
import { grantCredits } from '../../db/organizations.ts';
import { claimRequest, failRequest, unclaimRequest } from '../../db/requests.ts';
import { reserve, settle } from '../../db/settlement.ts';
import { anAccount, testDatabase, type TestAccount } from '../support/database.ts';

const ownFailure = { code: 'internal_error', message: 'A server error.', param: null };

function claim(db: Db, { organizationId, keyId }: TestAccount, requestId: string) {
  return claimRequest(db, {
    ...{ organizationId, requestId, keyId, fingerprint: 'f', task: 'affect' },
    ...{ model: 'svc-resonance-2', ratePerMinute: 8_000, uploadKey: 'u', repeats: 'run-again' },
  });
}

for (const [name, terms] of Object.entries({
  minutes: { allowanceSeconds: 60 },
  credits: { plan: 'credits', allowanceSeconds: 0 },
} as const)) {
  test(`what took the last of the ${name} can be repeated`, async (t) => {
    const { db } = await testDatabase(t);
    const account = await anAccount(db, terms);
    const { organizationId } = account;
    if (name === 'credits') {
      await grantCredits(db, { organizationId, actor: 'test', microUsd: 8_000 });
    }
    const ref = { organizationId, requestId: 'r', attempt: 1 };
    await claim(db, account, 'r');
    await reserve(db, ref, 60);
    await settle(db, ref, 60);
    t.false(await hasAllowance(db, organizationId));
    const used = await balanceOf(db, organizationId);
    for (const attempt of [2, 3, 4]) {
      t.deepEqual(await claim(db, account, 'r'), { kind: 'admitted', attempt });
      await reserve(db, { ...ref, attempt }, 60);
      await reserve(db, { ...ref, attempt }, 60);
      t.deepEqual(await balanceOf(db, organizationId), used, 'it holds nothing');
      if (attempt === 2) t.true(await failRequest(db, { ...ref, attempt }, ownFailure));
      else t.true(await settle(db, { ...ref, attempt }, 60), 'it was debited before');
      t.deepEqual(await balanceOf(db, organizationId), used);
    }
    await claim(db, account, 'other');
    const other = reserve(db, { ...ref, requestId: 'other' }, 1);
    await t.throwsAsync(other, { name: 'AllowanceExhausted' });
  });
}

/** Requests by their ids, and the seconds of each; the allowance is 40. */
const lengths = { a: 10, b: 20, c: 30 } as const;
const requestIds = Object.keys(lengths) as (keyof typeof lengths)[];
const actions = ['claim', 'reserve', 'finish', 'fail', 'unclaim'] as const;

interface Step {
  readonly action: (typeof actions)[number];
  readonly requestId: keyof typeof lengths;
  /** A step of the attempt before the current one, by a worker that is late. */
  readonly late: boolean;
}

/** @returns the name of the error that it ends with */
async function take(db: Db, account: TestAccount, step: Step): Promise<string | null> {
  const { action, requestId, late } = step;
  const { organizationId } = account;
  const row = await db
    .selectFrom('requests')
    .select('attempt')
    .where((eb) => eb.and({ organizationId, requestId }))
    .executeTakeFirst();
  const ref = { organizationId, requestId, attempt: (row?.attempt ?? 1) - (late ? 1 : 0) };
  const seconds = lengths[requestId];
  const work = {
    claim: () => claim(db, account, requestId),
    reserve: () => reserve(db, ref, seconds),
    finish: () => reserve(db, ref, seconds).then(() => settle(db, ref, seconds)),
    fail: () => failRequest(db, ref, ownFailure),
    unclaim: () => unclaimRequest(db, ref),
  };
  const [outcome] = await Promise.allSettled([work[action]()]);
  return outcome.status === 'rejected' ? (outcome.reason as Error).name : null;
}

/** The ledger's entries, and which requests it has debits of. */
async function ledgerOf(db: Db, organizationId: string) {
  const entries = await db
    .selectFrom('ledger')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .execute();
  const debited = entries.filter(({ kind }) => kind === 'debit').map((entry) => entry.requestId);
  return { entries, debited };
}

test('whatever repeats do at once, each is debited once and nothing is overdrawn', async (t) => {
  const { db } = await testDatabase(t);
  const step: fc.Arbitrary<Step> = fc.record({
    action: fc.constantFrom(...actions),
    requestId: fc.constantFrom(...requestIds),
    late: fc.boolean(),
  });
  const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(rounds, async (given) => {
      const account = await anAccount(db, { allowanceSeconds: 40 });
      const { organizationId } = account;
      for (const requestId of requestIds) await claim(db, account, requestId);
      for (const steps of given) {
        const { debited: paid } = await ledgerOf(db, organizationId);
        const errors = await Promise.all(steps.map((each) => take(db, account, each)));
        for (const [i, error] of errors.entries()) {
          const isExpected = error === null || error === 'RequestNotRunning';
          const isPaid = paid.includes(steps[i]!.requestId);
          t.true(isExpected || (error === 'AllowanceExhausted' && !isPaid), `${error}`);
        }
        const { entries, debited } = await ledgerOf(db, organizationId);
        t.is(new Set(debited).size, debited.length);
        const { remainingSeconds } = await balanceOf(db, organizationId);
        const held = entries.map(({ kind, seconds }) => (kind === 'release' ? -seconds : seconds));
        t.is(remainingSeconds, 40 - held.reduce((sum, seconds) => sum + seconds, 0));
        t.true(remainingSeconds >= 0);
      }
    }),
    { numRuns: 25 },
  );
});
