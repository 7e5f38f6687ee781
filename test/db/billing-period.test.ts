// Months of a subscription: every day of 2024 to 2030 lies in exactly one, whatever the anchor.
import test from 'ava';
import fc from 'fast-check';
import { sql } from 'kysely';
import { balanceOf } from '../../db/balance.ts';
import { anAccount, testDatabase } from '../support/database.ts';

const dayMs = 86_400_000;

/** Slow and plain: periods start month by month from the anchor; the last start that has passed. */
function slowPeriod(anchor: Date, at: Date): Date {
  let last = anchor;
  for (let months = 1; ; months += 1) {
    const start = new Date(anchor);
    start.setUTCDate(1);
    start.setUTCMonth(start.getUTCMonth() + months);
    const next = new Date(start);
    next.setUTCMonth(next.getUTCMonth() + 1, 0);
    start.setUTCDate(Math.min(anchor.getUTCDate(), next.getUTCDate()));
    if (start > at) return last;
    last = start;
  }
}

test('every anchor and every day of seven years, against a slow reference', async (t) => {
  const { db } = await testDatabase(t);
  // The anchor's time of day is the boundary within its day, so both sides of it are tested.
  const { rows } = await sql<{ anchor: Date; at: Date; period: Date }>`
    SELECT anchor, at, billing_period('subscription', anchor, at) AS period
    FROM generate_series(timestamptz '2024-01-01 13:30Z', '2024-03-31 13:30Z', '1 day') AS anchor,
      generate_series(anchor, '2030-12-31 13:30Z', interval '1 day') AS day,
      (VALUES (interval '0'), (interval '23:59:59.999')) AS offsets (offset_in_day),
      LATERAL (SELECT day + offset_in_day AS at) AS moments
    WHERE extract(day FROM anchor) IN (1, 15, 28, 29, 30, 31)`.execute(db);
  t.true(rows.length > 80_000, `${rows.length}`);
  const wrong = rows.filter(
    ({ anchor, at, period }) => period.getTime() !== slowPeriod(anchor, at).getTime(),
  );
  t.deepEqual(wrong.slice(0, 3), []);
});

test('property: any anchor and any point in time', async (t) => {
  const { db } = await testDatabase(t);
  const moment = fc.date({
    min: new Date('2024-01-01T00:00:00Z'),
    max: new Date('2030-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  });
  const pairs = fc.array(fc.tuple(moment, moment), { minLength: 200, maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(pairs, async (all) => {
      const ordered = all.map(([a, b]) => (a < b ? [a, b] : [b, a]) as [Date, Date]);
      const { rows } = await sql<{ period: Date }>`
        SELECT billing_period('subscription', anchor, at) AS period
        FROM unnest(${ordered.map(([anchor]) => anchor)}::timestamptz[],
          ${ordered.map(([, at]) => at)}::timestamptz[]) AS given (anchor, at)`.execute(db);
      rows.forEach(({ period }, i) => {
        const [anchor, at] = ordered[i]!;
        if (period.getTime() === slowPeriod(anchor, at).getTime()) return;
        throw new Error(`${anchor.toISOString()} ${at.toISOString()}: ${period.toISOString()}`);
      });
    }),
    { numRuns: 20 },
  );
  t.pass();
});

test('a balance is that of the current period, from an anchor on the 31st on', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId } = await anAccount(db);
  const now = new Date();
  // An anchor on the 31st, in a year whose month before this one is over: any day will do.
  const anchor = new Date(Date.UTC(now.getUTCFullYear() - 1, 0, 31, 12));
  await db.updateTable('organizations').set({ periodAnchor: anchor }).execute();
  const { period } = await balanceOf(db, organizationId);
  t.deepEqual(period, slowPeriod(anchor, new Date()));
  t.true(Date.now() - period.getTime() < 32 * dayMs);
});
