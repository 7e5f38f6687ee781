// Interim text that was told is charged when its client ends the stream without a result (ADR 84).
import test, { type ExecutionContext } from 'ava';
import { balanceOf } from '../../../db/balance.ts';
import type { LiveUpdate } from '../../../models/analysis/live/live-recognition.ts';
import { aStream } from '../../support/a-stream.ts';
import { spoken } from '../../support/fake-pool.ts';
import { until } from '../../support/until.ts';

/** A stream that has these samples, and what its client was told. */
async function told(t: ExecutionContext, pcm: Int16Array) {
  const updates: LiveUpdate[] = [];
  const live = {
    onUpdate(update: LiveUpdate): boolean {
      updates.push(update);
      return update.stable.length + update.tail.length > 0;
    },
    onFinal: () => {},
  };
  const stream = await aStream(t, { live });
  stream.run.record(new Uint8Array(pcm.buffer));
  return { ...stream, updates };
}

const threeSeconds = spoken(3, [{ value: 7, startSeconds: 0.5, endSeconds: 2.4 }]);
const state = (db: Parameters<typeof balanceOf>[0]) =>
  db.selectFrom('requests').select(['state', 'billableSeconds']).executeTakeFirst();

test.serial('a client that leaves after interim text pays for the audio it covers', async (t) => {
  const { run, db, organizationId, ended, updates } = await told(t, threeSeconds);
  await until(() => updates.length > 0);
  await run.abandon('client');
  const seconds = Math.ceil(updates.at(-1)!.audioSeconds);
  t.true(seconds >= 2 && seconds <= 3, `${seconds}`);
  t.is(await ended, 'completed');
  t.deepEqual(await state(db), { state: 'completed', billableSeconds: seconds });
  t.is((await balanceOf(db, organizationId)).remainingSeconds, 600 - seconds);
});

test.serial('what the service ends costs nothing, interim text or not', async (t) => {
  const { run, db, organizationId, ended, updates } = await told(t, threeSeconds);
  await until(() => updates.length > 0);
  await run.abandon('service');
  t.is(await ended, 'ended');
  t.like(await state(db), { state: 'failed' });
  t.is((await balanceOf(db, organizationId)).remainingSeconds, 600);
});

test.serial('what an operator ends costs nothing either, and its id is used up', async (t) => {
  const { run, db, organizationId, updates } = await told(t, threeSeconds);
  await until(() => updates.length > 0);
  await run.abandon('operator');
  t.like(await state(db), { state: 'closed' });
  t.is((await balanceOf(db, organizationId)).remainingSeconds, 600);
});

test.serial('a server error costs nothing, though its client leaves first', async (t) => {
  const { run, db, organizationId, updates } = await told(t, threeSeconds);
  await until(() => updates.length > 0);
  run.toFailure(new Error('the pool is lost'));
  await run.abandon('client');
  t.like(await state(db), { state: 'failed' });
  t.is((await balanceOf(db, organizationId)).remainingSeconds, 600);
});

test.serial('a client that was told nothing pays nothing', async (t) => {
  const { run, db, organizationId } = await told(t, new Int16Array(3 * 16_000));
  await run.abandon('client');
  t.like(await state(db), { state: 'closed' });
  t.is((await balanceOf(db, organizationId)).remainingSeconds, 600);
});
