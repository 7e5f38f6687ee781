// Plans: minutes of a period, overage, credits, suspension; balances derived from the ledger.
import test from 'ava';
import fc from 'fast-check';
import { sql } from 'kysely';
import { NotFound } from '../../db/api-keys.ts';
import { listAudit } from '../../db/audit.ts';
import { AllowanceExhausted, availableSeconds, balanceOf, hasAllowance } from '../../db/balance.ts';
import { openDatabase, type Db } from '../../db/database.ts';
import { amountOf } from '../../db/ledger.ts';
import {
  changeTerms,
  describeOrganization,
  grantCredits,
  GrantConflict,
  InvalidTerms,
} from '../../db/organizations.ts';
import { claimRequest, failRequest } from '../../db/requests.ts';
import { closeSession, createSession } from '../../db/sessions.ts';
import { usageReport } from '../../db/usage-report.ts';
import { reserve, settle } from '../../db/settlement.ts';
import { anAccount, patient, testDatabase, type TestAccount } from '../support/database.ts';

const actor = 'test';

async function admit(db: Db, { organizationId, keyId }: TestAccount, requestId: string, rate = 0) {
  const rest = { fingerprint: 'f', task: 'affect', model: 'svc-resonance-2', uploadKey: 'u' };
  await claimRequest(db, { organizationId, keyId, requestId, ratePerMinute: rate, ...rest });
  return { organizationId, requestId, attempt: 1 };
}

async function totalsHold(db: Db): Promise<boolean> {
  const { rows } = await sql`
    SELECT organization_id, period, sum(CASE kind WHEN 'release' THEN -seconds ELSE seconds END),
      sum(CASE kind WHEN 'grant' THEN 0 WHEN 'release' THEN -microusd ELSE microusd END),
      sum(CASE kind WHEN 'grant' THEN microusd ELSE 0 END)
    FROM ledger GROUP BY 1, 2 EXCEPT SELECT * FROM ledger_totals`.execute(db);
  return rows.length === 0;
}

test('a subscription counts its month; a request belongs to the one it began in', async (t) => {
  const { db } = await testDatabase(t);
  const account = await anAccount(db, { allowanceSeconds: 100 });
  const { organizationId } = account;
  const first = await admit(db, account, 'first');
  await reserve(db, first, 60);
  const anchor = sql<Date>`now() - interval '1 month 1 day'`;
  await db.updateTable('organizations').set({ periodAnchor: anchor }).execute();
  t.is((await balanceOf(db, organizationId)).usedSeconds, 0, 'a new month');
  await settle(db, first, 50);
  t.is((await balanceOf(db, organizationId)).usedSeconds, 0, 'charged to the month before');
  const second = await admit(db, account, 'second');
  await t.throwsAsync(reserve(db, second, 101), { instanceOf: AllowanceExhausted });
  await reserve(db, second, 100);
  t.false(await hasAllowance(db, organizationId));
  t.true(await totalsHold(db));
});

test('of terms that are changed at once none is lost', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId } = await anAccount(db, { allowanceSeconds: 0 });
  const more = { allowanceSeconds: 1, overageSeconds: 2 } as const;
  await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      changeTerms(db, {
        ...{ organizationId, actor },
        termsAfter: ({ plan, allowanceSeconds, overageSeconds }) => ({
          plan,
          allowanceSeconds: allowanceSeconds + (i % 2 === 0 ? more.allowanceSeconds : 0),
          overageSeconds: overageSeconds! + (i % 2 === 1 ? more.overageSeconds : 0),
        }),
      }),
    ),
  );
  t.like(await describeOrganization(db, organizationId), {
    allowanceSeconds: 5,
    overageSeconds: 10,
  });
});

test('rows that are written of an organization do not delay its minutes and terms', async (t) => {
  const { db, url } = await testDatabase(t);
  const account = await anAccount(db, { allowanceSeconds: 10 });
  const { organizationId } = account;
  const ref = await admit(db, account, 'a');
  const impatient = openDatabase(url, { ...patient, lockTimeoutMs: 10_000 });
  t.teardown(() => impatient.destroy());
  await db.transaction().execute(async (trx) => {
    // As a batch of ten thousand does for seconds.
    await sql`INSERT INTO files (id, organization_id, object_key, filename, expires_at)
      VALUES ('file-a', ${organizationId}, 'uploads/a', 'a', now())`.execute(trx);
    await reserve(impatient, ref, 10);
    const terms = { plan: 'subscription', allowanceSeconds: 20, overageSeconds: 0 } as const;
    await changeTerms(impatient, { organizationId, actor, termsAfter: () => terms });
  });
  t.is((await balanceOf(db, organizationId)).remainingSeconds, 10);
});

test('overage has its own limit, and only subscriptions have it', async (t) => {
  const { db } = await testDatabase(t);
  const account = await anAccount(db, { allowanceSeconds: 10, overageSeconds: 20 });
  const { organizationId } = account;
  await reserve(db, await admit(db, account, 'a'), 25);
  t.is(await availableSeconds(db, organizationId, 8_000), 5);
  const over = await admit(db, account, 'b');
  await t.throwsAsync(reserve(db, over, 6), {
    message: /6 seconds of plan minutes, but 5 are left/,
  });
  const toTrial = (overageSeconds: number) => {
    const trial = { plan: 'trial', allowanceSeconds: 60, overageSeconds } as const;
    return changeTerms(db, { organizationId, actor, termsAfter: () => trial });
  };
  await t.throwsAsync(toTrial(1), { instanceOf: InvalidTerms });
  await toTrial(0);
  t.is((await balanceOf(db, organizationId)).remainingSeconds, 60, 'a new plan begins anew');
});

test('minutes and overage may be as large as an operator may set them, together', async (t) => {
  const { db } = await testDatabase(t);
  const most = 2 ** 31 - 8;
  const account = await anAccount(db, { allowanceSeconds: most, overageSeconds: most });
  const request = await admit(db, account, 'first');
  await reserve(db, request, 60);
  await settle(db, request, 60);
  t.is(await availableSeconds(db, account.organizationId, 0), 2 * most - 60);
});

test('credits with a reference are added once, also at the same moment', async (t) => {
  const { db } = await testDatabase(t);
  const credits = { plan: 'credits', allowanceSeconds: 0 } as const;
  const [{ organizationId }, other] = [await anAccount(db, credits), await anAccount(db, credits)];
  const grant = { organizationId, actor, microUsd: 10_000, reference: 'invoice-7' };
  const all = await Promise.all(Array.from({ length: 4 }, () => grantCredits(db, grant)));
  t.is(all.filter((isNew) => isNew).length, 1);
  t.is((await balanceOf(db, organizationId)).creditMicroUsd, 10_000);
  const action = 'credits.grant';
  const audit = await listAudit(db, { organizationId, limit: 9 });
  t.deepEqual(
    audit.filter((row) => row.action === action).map(({ details }) => details),
    [{ microUsd: 10_000, reference: 'invoice-7' }],
  );
  await t.throwsAsync(grantCredits(db, { ...grant, microUsd: 20_000 }), {
    instanceOf: GrantConflict,
    message: 'invoice-7 has added 0.010000 USD, not 0.020000',
  });
  t.true(await grantCredits(db, { ...grant, organizationId: other.organizationId }));
  await t.throwsAsync(grantCredits(db, { ...grant, organizationId: 'org_none' }), {
    instanceOf: NotFound,
  });
});

test('credits are spent at the price of the request and do not expire', async (t) => {
  const { db } = await testDatabase(t);
  const account = await anAccount(db, { plan: 'credits', allowanceSeconds: 0 });
  const { organizationId, keyId } = account;
  t.false(await hasAllowance(db, organizationId));
  await grantCredits(db, { organizationId, actor, microUsd: 10_000 });
  t.is(await availableSeconds(db, organizationId, 10_000), 60);
  const ref = await admit(db, account, 'a', 10_000);
  await reserve(db, ref, 45);
  const next = await admit(db, account, 'b', 10_000);
  await t.throwsAsync(reserve(db, next, 16), {
    message: /0.002667 USD of credits, but 0.002500 USD are left/,
  });
  await settle(db, ref, 30);
  t.is((await balanceOf(db, organizationId)).creditMicroUsd, 5_000);
  // A session reserves the cost of its most expensive task, and releases the rest.
  const session = {
    organizationId,
    keyId,
    sessionId: 's',
    token: 'x',
    slots: 2,
    lifetimeSeconds: 30,
  };
  const created = await createSession(db, {
    ...session,
    maxCapacitySeconds: 60,
    ratePerMinute: 12_000,
  });
  t.is(created?.capacitySeconds, 25);
  t.is((await balanceOf(db, organizationId)).creditMicroUsd, 0);
  const slot = await admit(db, account, 'slot', 8_000);
  await reserve(db, { ...slot, slot: { sessionId: 's', slot: 0 } }, 9);
  await settle(db, slot, 9);
  await closeSession(db, organizationId, 's');
  t.is((await balanceOf(db, organizationId)).creditMicroUsd, 5_000 - 1_200);
  t.true(await totalsHold(db));
  const [day] = await usageReport(db, { organizationId, from: null, to: null });
  t.like(day, { model: 'svc-resonance-2', requests: 2, seconds: 39, microUsd: 6_200 });
});

test('property: concurrent reservations never overdraw, and the sums are exact', async (t) => {
  const { db } = await testDatabase(t);
  const step = fc.record({ seconds: fc.integer({ min: 1, max: 30 }), fails: fc.boolean() });
  const run = fc.asyncProperty(
    fc.array(step, { maxLength: 12 }),
    fc.boolean(),
    async (all, paid) => {
      const terms = paid ? { plan: 'credits', allowanceSeconds: 0 } : { allowanceSeconds: 60 };
      const account = await anAccount(db, terms as Parameters<typeof anAccount>[1]);
      const { organizationId } = account;
      if (paid) await grantCredits(db, { organizationId, actor, microUsd: 8_000 });
      const spent = await Promise.all(
        all.map(async ({ seconds, fails }, i) => {
          const ref = await admit(db, account, `${i}`, 8_000);
          const covered = await reserve(db, ref, seconds).then(
            () => true,
            () => false,
          );
          if (!covered) return 0;
          if (fails) {
            await failRequest(db, ref, { code: 'internal_error', message: '', param: null });
            return 0;
          }
          await settle(db, ref, seconds);
          return seconds;
        }),
      );
      const balance = await balanceOf(db, organizationId);
      const costs = spent.reduce((sum, seconds) => sum + amountOf(8_000, seconds).microUsd, 0);
      t.is(
        balance.usedSeconds,
        spent.reduce((sum, seconds) => sum + seconds, 0),
      );
      if (paid) t.is(balance.creditMicroUsd, 8_000 - costs);
      t.true((paid ? balance.creditMicroUsd : balance.remainingSeconds) >= 0);
    },
  );
  await fc.assert(run, { numRuns: 25 });
  t.true(await totalsHold(db));
});
