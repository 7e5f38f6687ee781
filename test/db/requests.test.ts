// Claims and the ledger: one run and one debit, never overdrawn, never rewritten.
import test from 'ava';
import fc from 'fast-check';
import { sql } from 'kysely';
import { decideClaim } from '../../db/claim-decision.ts';
import type { Db } from '../../db/database.ts';
import {
  claimRequest,
  failRequest,
  requestState,
  staleRequests,
  unclaimRequest,
} from '../../db/requests.ts';
import { balanceOf, hasAllowance } from '../../db/balance.ts';
import { reserve, settle } from '../../db/settlement.ts';
import { usageReport } from '../../db/usage-report.ts';
import { anAccount, testDatabase, type TestAccount } from '../support/database.ts';

function claim(db: Db, { organizationId, keyId }: TestAccount, requestId: string, print = 'f') {
  const upload = {
    task: 'transcription',
    model: 'svc-resonance',
    ratePerMinute: 8_000,
    uploadKey: 'u',
  };
  return claimRequest(db, { organizationId, requestId, keyId, fingerprint: print, ...upload });
}

const audioFailure = { code: 'audio_undecodable', message: 'It is broken.', param: 'file' };
const ownFailure = { code: 'internal_error', message: 'A server error.', param: null };

test('a used id is decided by its fingerprint first, then by its state', (t) => {
  const rest = { attempt: 2, errorCode: null, errorMessage: null, errorParam: null };
  const states = {
    admitted: 'request_in_progress',
    running: 'request_in_progress',
    completed: 'request_already_completed',
    closed: 'request_already_completed',
  } as const;
  for (const [state, code] of Object.entries(states)) {
    const existing = { fingerprint: 'a', state: state as keyof typeof states, ...rest };
    t.deepEqual(decideClaim(existing, 'a'), { kind: 'rejected', code });
    t.deepEqual(decideClaim(existing, 'b'), { kind: 'rejected', code: 'idempotency_conflict' });
  }
  const failed = {
    fingerprint: 'a',
    state: 'failed',
    ...rest,
    errorCode: 'internal_error',
  } as const;
  t.deepEqual(decideClaim(failed, 'a'), { kind: 'admitted', attempt: 3 });
  t.is(decideClaim({ ...failed, errorCode: 'audio_too_long' }, 'a').kind, 'failed-by-audio');
});

test('of 200 concurrent claims of one id exactly one is admitted', async (t) => {
  const { db } = await testDatabase(t);
  const account = await anAccount(db);
  const claims = await Promise.all(Array.from({ length: 200 }, () => claim(db, account, 'same')));
  t.is(claims.filter(({ kind }) => kind === 'admitted').length, 1);
});

test('a server error is retried once; an error of the audio never', async (t) => {
  const { db } = await testDatabase(t);
  const account = await anAccount(db);
  const ref = { organizationId: account.organizationId, requestId: 'r', attempt: 1 };
  await claim(db, account, 'r');
  t.true(await failRequest(db, ref, ownFailure));
  const retries = await Promise.all(Array.from({ length: 20 }, () => claim(db, account, 'r')));
  const admitted = retries.filter(({ kind }) => kind === 'admitted');
  t.deepEqual(admitted, [{ kind: 'admitted', attempt: 2 }]);
  t.false(await failRequest(db, ref, audioFailure), 'the old attempt changes nothing');
  await failRequest(db, { ...ref, attempt: 2 }, audioFailure);
  t.deepEqual(await claim(db, account, 'r'), { kind: 'failed-by-audio', ...audioFailure });
});

test('settling twice debits once; a failed attempt cannot settle', async (t) => {
  const { db } = await testDatabase(t);
  const account = await anAccount(db, { allowanceSeconds: 100 });
  const ref = { organizationId: account.organizationId, requestId: 'r', attempt: 1 };
  await claim(db, account, 'r');
  await reserve(db, ref, 60);
  await reserve(db, ref, 60);
  t.is((await balanceOf(db, account.organizationId)).remainingSeconds, 40);
  await Promise.all([settle(db, ref, 60), settle(db, ref, 60)]);
  t.is((await balanceOf(db, account.organizationId)).remainingSeconds, 40);
  await claim(db, account, 'other');
  const other = { ...ref, requestId: 'other' };
  await failRequest(db, other, ownFailure);
  await t.throwsAsync(settle(db, other, 1), { name: 'RequestNotRunning' });
});

test('fifty concurrent reservations cannot overdraw; a rejected one leaves no row', async (t) => {
  const { db } = await testDatabase(t);
  const account = await anAccount(db, { allowanceSeconds: 100 });
  const results = await Promise.all(
    Array.from({ length: 50 }, async (_, i) => {
      const ref = { organizationId: account.organizationId, requestId: `r${i}`, attempt: 1 };
      await claim(db, account, ref.requestId);
      return reserve(db, ref, 9).then(
        () => 'reserved',
        async (error: Error) => {
          await unclaimRequest(db, ref);
          return error.name;
        },
      );
    }),
  );
  t.is(results.filter((result) => result === 'reserved').length, 11);
  t.is(results.filter((result) => result === 'AllowanceExhausted').length, 39);
  t.is((await balanceOf(db, account.organizationId)).remainingSeconds, 1);
  t.is((await db.selectFrom('requests').selectAll().execute()).length, 11);
});

test('a rejected repeat of a charged request leaves it completed, and in the report', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId, keyId } = await anAccount(db);
  const named = { organizationId, requestId: 'r', keyId, fingerprint: 'f', task: 'affect' };
  const terms = { model: 'svc-resonance-2', ratePerMinute: 8_000, uploadKey: 'u' };
  const again = () => claimRequest(db, { ...named, ...terms, repeats: 'run-again' });
  const ref = { organizationId, requestId: 'r', attempt: 1 };
  const report = () => usageReport(db, { organizationId, from: null, to: null });
  await again();
  await reserve(db, ref, 60);
  await settle(db, ref, 60);
  const charged = await report();
  t.like(charged, { length: 1, 0: { seconds: 60 } });
  const second = { ...ref, attempt: 2 };
  t.deepEqual(await again(), { kind: 'admitted', attempt: 2 });
  await reserve(db, second, 60);
  await unclaimRequest(db, second);
  t.deepEqual(await report(), charged);
  t.is(await requestState(db, second), null, 'the rejected attempt has no result');
  t.is((await balanceOf(db, organizationId)).remainingSeconds, 3_600 - 60);
  t.deepEqual(await again(), { kind: 'admitted', attempt: 2 });
  await settle(db, second, 60);
  t.deepEqual(await report(), charged, 'one debit');
  // Its row may have been pruned since, and then its debit is in `usage_history`.
  await sql`DELETE FROM requests`.execute(db);
  t.deepEqual(await again(), { kind: 'admitted', attempt: 3 });
  await unclaimRequest(db, { ...ref, attempt: 3 });
  t.deepEqual(await db.selectFrom('requests').selectAll().execute(), []);
});

test('after any steps the balance is the allowance less debits and reservations', async (t) => {
  const { db } = await testDatabase(t);
  const step = fc.tuple(fc.constantFrom('reserve', 'settle', 'fail'), fc.nat(3), fc.nat(20));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
      const account = await anAccount(db, { allowanceSeconds: 40 });
      const { organizationId } = account;
      for (let i = 0; i < 4; i += 1) await claim(db, account, `r${i}`);
      for (const [name, i, seconds] of steps) {
        const ref = { organizationId, requestId: `r${i}`, attempt: 1 };
        const done =
          name === 'reserve'
            ? reserve(db, ref, seconds + 1)
            : name === 'settle'
              ? settle(db, ref, seconds + 1)
              : failRequest(db, ref, ownFailure);
        await Promise.resolve(done).catch(() => {});
      }
      const rows = await db
        .selectFrom('ledger')
        .selectAll()
        .where('organizationId', '=', organizationId)
        .execute();
      for (let i = 0; i < 4; i += 1) {
        const own = rows.filter((row) => row.requestId === `r${i}`);
        t.true(own.filter(({ kind }) => kind === 'debit').length <= 1);
      }
      const spent = rows.reduce(
        (sum, { kind, seconds }) => sum + (kind === 'release' ? -seconds : seconds),
        0,
      );
      t.is((await balanceOf(db, organizationId)).remainingSeconds, 40 - spent);
    }),
    { numRuns: 15 },
  );
});

test('allowance is the remaining minutes, or overage', async (t) => {
  const { db } = await testDatabase(t);
  const [none, over] = await Promise.all([
    anAccount(db, { allowanceSeconds: 0 }),
    anAccount(db, { allowanceSeconds: 0, overageSeconds: null }),
  ]);
  t.false(await hasAllowance(db, none.organizationId));
  t.true(await hasAllowance(db, over.organizationId));
});

test('requests without activity for a while are found', async (t) => {
  const { db } = await testDatabase(t);
  const account = await anAccount(db);
  await claim(db, account, 'old');
  t.is((await staleRequests(db, { olderThanSeconds: 60, after: '' })).length, 0);
  await sql`update requests set updated_at = now() - interval '2 minutes'`.execute(db);
  const [found] = await staleRequests(db, { olderThanSeconds: 60, after: '' });
  t.is(found!.requestId, 'old');
});
