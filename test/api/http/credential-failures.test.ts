// Invalid keys by address: their number is bounded, while valid keys continue to work.
import test from 'ava';
import { createCredentialFailures } from '../../../api/http/credential-failures.ts';
import { ServiceError } from '../../../models/contract/errors.ts';
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
