// Floods of requests that are refused: who sends them is heard a few times a second, others always.
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { tooBusy } from '../../../api/http/key-limits.ts';
import { createRequestTurns } from '../../../api/http/turns.ts';
import { createStartGate } from '../../../models/fairness/start-gate.ts';

const perCore = { alone: 4, besideOthers: 1 };
const turnsOf = () =>
  createRequestTurns(createStartGate({ slotMs: 250, cores: 2, perCore, now: () => 0 }));
const refuse = () => Promise.reject(tooBusy('Too many'));

test.serial('what is refused keeps its turn for a while; a stranger does not wait', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const turns = turnsOf();
  let looked = 0;
  const flood = Array.from({ length: 100 }, () =>
    turns.run('flood', () => ((looked += 1), refuse())).catch(() => {}),
  );
  await setImmediate();
  t.is(looked, 8);
  t.is(await turns.run('stranger', () => Promise.resolve('answered')), 'answered');
  mock.timers.tick(250);
  await setImmediate();
  t.is(looked, 10, 'beside a stranger as many as there are cores');
  for (let i = 0; i < 45; i += 1) {
    mock.timers.tick(250);
    await setImmediate();
  }
  await Promise.all(flood);
  t.is(looked, 100);
});

test.serial('what is answered gives its turn on at once', async (t) => {
  const turns = turnsOf();
  const answers = Array.from({ length: 100 }, (_, i) => turns.run('a', () => Promise.resolve(i)));
  t.is((await Promise.all(answers)).length, 100);
  await t.throwsAsync(
    turns.run('a', () => Promise.reject(new Error('not found'))),
    { message: 'not found' },
  );
});

test.serial('of very many that wait the rest is refused without a look', async (t) => {
  const turns = turnsOf();
  const { promise, resolve } = Promise.withResolvers<void>();
  const begin = (count: number): readonly Promise<void>[] =>
    Array.from({ length: count }, () => turns.run('flood', () => promise));
  const begun = begin(8);
  await setImmediate();
  const waiting = begin(768);
  await t.throwsAsync(
    turns.run('flood', () => Promise.reject(new Error('looked at'))),
    { message: /768 requests of this key wait/ },
  );
  resolve();
  await Promise.all([...begun, ...waiting]);
});
