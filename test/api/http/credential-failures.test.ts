// Invalid keys by address: their number is bounded, while valid keys continue to work.
import test from 'ava';
import { createCredentialFailures } from '../../../api/http/credential-failures.ts';
import { ServiceError } from '../../../models/contract/errors.ts';
import { settled } from '../../support/scripted-pool.ts';
import { testStack } from '../../support/stack.ts';

const limits = { burst: 3, perMinute: 60 };
/** No failure expires while a test runs, however slow its machine is. */
const spentLimits = { burst: 3, perMinute: 0.01 };

function counted() {
  let nowMs = 0;
  let lookUps = 0;
  const failures = createCredentialFailures(limits, () => nowMs);
  const send = (address: string, secret: string): Promise<boolean> =>
    failures.attempt({
      address,
      secret,
      lookUp: () => Promise.resolve((lookUps += 1) > 0 && secret.startsWith('good')),
      organizationOf: (good) => (good ? 'org' : null),
    });
  return { send, lookUps: () => lookUps, pass: (ms: number) => void (nowMs += ms) };
}

test('beyond its failures an address is rejected without a lookup, with Retry-After', async (t) => {
  const { send, lookUps, pass } = counted();
  for (let i = 0; i < 3; i += 1) t.false(await send('a', `bad ${i}`));
  // The fourth one is looked up, and those behind it are not.
  const error = await t.throwsAsync(send('a', 'bad'), { instanceOf: ServiceError });
  t.deepEqual([error.code, error.retryAfterSeconds], ['rate_limited', 1]);
  for (let i = 0; i < 1_000; i += 1) await t.throwsAsync(send('a', `bad ${i}`));
  t.is(lookUps(), 4);
  t.false(await send('b', 'bad'), 'another address');
  pass(1_000);
  t.false(await send('a', 'bad'), 'a second later there is one more');
});

test('a recently valid key is never rejected; a new one is looked up in turn', async (t) => {
  const { send, pass } = counted();
  t.true(await send('a', 'good'));
  for (let i = 0; i < 100; i += 1) await send('a', `bad ${i}`).catch(() => {});
  for (let i = 0; i < 100; i += 1) t.true(await send('a', 'good'));
  await t.throwsAsync(send('a', 'good but new'));
  pass(100);
  t.true(await send('a', 'good but new'));
  t.true(await send('a', 'good but new'));
});

test('valid keys do not count against an address', async (t) => {
  const { send } = counted();
  for (let i = 0; i < 500; i += 1) t.true(await send('a', `good ${i}`));
  for (let i = 0; i < 3; i += 1) t.false(await send('a', `bad ${i}`));
});

test('the memory is bounded, however many addresses there are', async (t) => {
  const { send } = counted();
  for (let i = 0; i < 3; i += 1) await send('first', 'bad');
  for (let i = 0; i < 10_001; i += 1) await send(`${i}`, 'bad');
  t.false(await send('first', 'bad'), 'forgotten');
});

/** Look-ups that end when the test says so. */
function held() {
  const failures = createCredentialFailures(limits, () => 0);
  const ends: PromiseWithResolvers<string | null>[] = [];
  const send = (secret: string): Promise<string | null> =>
    failures.attempt({
      ...{ address: 'a', secret },
      lookUp: () => (ends[ends.length] = Promise.withResolvers()).promise,
      organizationOf: (found) => found,
    });
  const sendAll = (count: number) =>
    Promise.allSettled(Array.from({ length: count }, (_, i) => send(`secret ${i}`)));
  return { ends, send, sendAll };
}

const outcomesOf = (ended: readonly PromiseSettledResult<string | null>[]): string[] =>
  ended.map((each) => (each.status === 'fulfilled' ? `${each.value}` : `${each.reason}`));

test('concurrent invalid keys are looked up no more than those one after another', async (t) => {
  const { ends, sendAll } = held();
  const all = sendAll(1_000);
  await settled();
  t.is(ends.length, 3);
  for (const { resolve } of ends) resolve(null);
  await settled();
  t.is(ends.length, 4, 'the turn of an address past its limit');
  ends[3]!.resolve(null);
  const outcomes = outcomesOf(await all);
  t.is(ends.length, 4);
  t.is(outcomes.filter((outcome) => outcome === 'null').length, 3);
  t.is(outcomes.filter((outcome) => outcome.includes('too many invalid')).length, 997);
});

test('concurrent new keys of one address wait for each other, and none is rejected', async (t) => {
  const { ends, sendAll } = held();
  const all = sendAll(50);
  for (let i = 0; i < 50; i += 1) {
    await settled();
    t.is(ends.length, Math.min(50, i + 3));
    ends[i]!.resolve('org');
  }
  t.deepEqual(outcomesOf(await all), Array<string>(50).fill('org'));
});

test('who waits for a look-up that an outage ends is told at once', async (t) => {
  const { ends, send, sendAll } = held();
  const all = sendAll(10);
  await settled();
  ends[1]!.reject(new Error('away'));
  ends[0]!.resolve('org');
  ends[2]!.resolve(null);
  await settled();
  ends[3]!.resolve('org');
  const outcomes = outcomesOf(await all);
  t.deepEqual(outcomes.slice(0, 4), ['org', 'Error: away', 'null', 'org']);
  t.deepEqual(new Set(outcomes.slice(4)), new Set(['Error: away']));
  const next = [send('next'), send('one more')];
  await settled();
  for (const { resolve } of ends.slice(4)) resolve(null);
  t.deepEqual(await Promise.all(next), [null, null], 'what was taken was given back');
});

test('over HTTP: 401, then 429 with Retry-After; another tenant is served', async (t) => {
  const { base, account } = await testStack(t, { worker: false, failureLimits: spentLimits });
  const get = (key: string): Promise<Response> =>
    fetch(`${base}/v1/models`, { headers: { Authorization: `Bearer ${key}` } });
  const bad = `${account.key.slice(0, -4)}AAAA`;
  t.is((await get(account.key)).status, 200);
  for (let i = 0; i < 3; i += 1) t.is((await get(bad)).status, 401);
  const rejected = await get(bad);
  t.is(rejected.status, 429);
  const { error } = (await rejected.json()) as { error: { code: string } };
  t.is(error.code, 'rate_limited');
  t.true(Number(rejected.headers.get('Retry-After')) >= 1);
  t.is((await get(account.key)).status, 200);
});
