// Floods of rejected requests: the organization that sends them is limited to a few a second;
// others are not delayed.
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { tooBusy } from '../../../api/http/key-limits.ts';
import { createRequestThrottle } from '../../../api/http/request-throttle.ts';
import { createPresence } from '../../../models/fairness/presence.ts';
import { createStartGate } from '../../../models/fairness/start-gate.ts';

const perCore = { alone: 4, besideOthers: 1 };
const throttleOf = () => {
  const presence = createPresence(5_000);
  const gate = createStartGate({ slotMs: 250, cores: 2, perCore, presence, now: () => 0 });
  const upgrades = createStartGate({ slotMs: 2_000, cores: 2, perCore, presence, now: () => 0 });
  const setUps = createStartGate({ slotMs: 500, cores: 2, perCore, presence, now: () => 0 });
  return createRequestThrottle({ requests: gate, upgrades, setUps });
};
const reject = () => Promise.reject(tooBusy('Too many'));

test.serial('a rejected request keeps its slot for a while; others do not wait', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const throttle = throttleOf();
  let attempts = 0;
  const flood = Array.from({ length: 100 }, () =>
    throttle.run('flood', () => ((attempts += 1), reject())).catch(() => {}),
  );
  await setImmediate();
  t.is(attempts, 8);
  t.is(await throttle.run('other', () => Promise.resolve('answered')), 'answered');
  mock.timers.tick(250);
  await setImmediate();
  t.is(attempts, 10, 'one slot per core while another organization is active');
  for (let i = 0; i < 45; i += 1) {
    mock.timers.tick(250);
    await setImmediate();
  }
  await Promise.all(flood);
  t.is(attempts, 100);
});

test.serial('beside requests of others, a core has one stream that may be short', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const throttle = throttleOf();
  const ends: (() => void)[] = [];
  const open = (id: string) => {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const work = async () => void ends.push(resolve);
    return throttle.runUpgrade(id, { work, ended });
  };
  const pass = async (ms: number) => {
    mock.timers.tick(ms);
    await setImmediate();
  };
  await Promise.all(Array.from({ length: 8 }, () => open('alone')));
  t.is(ends.length, 8, 'alone, as many as it has slots');
  await pass(2_000);
  await throttle.run('other', async () => 'answered');
  const beside = Array.from({ length: 8 }, () => open('alone'));
  await setImmediate();
  t.is(ends.length, 10);
  ends[8]!();
  await pass(400);
  t.is(ends.length, 10, 'a stream that ends at once keeps its slot for half a second');
  await pass(100);
  t.is(ends.length, 11);
  await pass(1_400);
  t.is(ends.length, 11, 'the others have not ended');
  ends[9]!();
  await setImmediate();
  t.is(ends.length, 12, 'one has');
  await pass(600);
  t.is(ends.length, 13, 'who still streams after two seconds has no slot');
  await pass(2_000);
  t.is(ends.length, 15);
  await pass(2_000);
  await Promise.all(beside);
});

test.serial('an answered request releases its slot at once', async (t) => {
  const throttle = throttleOf();
  const answers = Array.from({ length: 100 }, (_, i) =>
    throttle.run('a', () => Promise.resolve(i)),
  );
  t.is((await Promise.all(answers)).length, 100);
  await t.throwsAsync(
    throttle.run('a', () => Promise.reject(new Error('not found'))),
    { message: 'not found' },
  );
});

test.serial(
  'requests beyond the queue limit of an organization are rejected without work',
  async (t) => {
    const throttle = throttleOf();
    const { promise, resolve } = Promise.withResolvers<void>();
    const start = (count: number): readonly Promise<void>[] =>
      Array.from({ length: count }, () => throttle.run('flood', () => promise));
    const started = start(8);
    await setImmediate();
    const waiting = start(768);
    await t.throwsAsync(
      throttle.run('flood', () => Promise.reject(new Error('was run'))),
      { message: /768 requests of this organization are waiting/ },
    );
    resolve();
    await Promise.all([...started, ...waiting]);
  },
);

test.serial('unknown and absent credentials wait for no slot', async (t) => {
  const throttle = throttleOf();
  const { promise, resolve } = Promise.withResolvers<string>();
  const pending = Array.from({ length: 800 }, () => throttle.run(null, () => promise));
  t.is(await throttle.run(null, () => Promise.resolve('answered')), 'answered');
  resolve('late');
  t.is((await Promise.all(pending)).length, 800);
});

test.serial('a stream that is not opened within 20 s is answered 429', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const throttle = throttleOf();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const never = new Promise<void>(() => {});
  const answers: string[] = [];
  const open = (until: Promise<void>): void => {
    const answered = throttle.runUpgrade('many', { work: async () => 'opened', ended: until });
    void answered.then(
      (answer) => answers.push(answer),
      ({ code, message }: { code: string; message: string }) => answers.push(code, message),
    );
  };
  await throttle.run('other', async () => 'answered');
  for (let i = 0; i < 24; i += 1) open(i === 0 ? ended : never);
  await setImmediate();
  t.deepEqual(answers, ['opened', 'opened']);
  end();
  for (let passedMs = 0; passedMs < 20_000; passedMs += 500) {
    mock.timers.tick(500);
    await setImmediate();
  }
  const [opened, rejected] = [answers.filter((a) => a === 'opened').length, answers.at(-2)];
  t.true(opened < 24);
  t.is(rejected, 'rate_limited');
  t.regex(answers.at(-1)!, /No slot .* within 20 s; send it again later/);
  t.is(opened + answers.filter((a) => a === 'rate_limited').length, 24);
});

test.serial('sessions are set up at a rate, beside others a lower one', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const throttle = throttleOf();
  const codes: string[] = [];
  let setUp = 0;
  const start = (count: number): void => {
    for (let i = 0; i < count; i += 1) {
      throttle
        .runSetUp('many', async () => (setUp += 1))
        .catch(({ code }: { code: string }) => codes.push(code));
    }
  };
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 500) {
      mock.timers.tick(500);
      await setImmediate();
    }
  };
  start(20);
  await setImmediate();
  t.is(setUp, 8, 'alone, four for each core');
  await pass(500);
  t.is(setUp, 16);
  await pass(1_000);
  await throttle.run('other', async () => 'answered');
  setUp = 0;
  start(100);
  await setImmediate();
  t.is(setUp, 2);
  await pass(1_000);
  t.is(setUp, 6);
  await pass(19_000);
  t.is(setUp + codes.length, 100);
  t.deepEqual([...new Set(codes)], ['session_busy']);
});
