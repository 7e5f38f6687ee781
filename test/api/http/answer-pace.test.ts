// Streamed answers beside the bodies of others, with a clock of its own.
import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { createAnswerPace } from '../../../api/http/answer-pace.ts';
import { createPresence } from '../../../models/fairness/presence.ts';

/** Two cores; each step takes ten milliseconds once it is let go. */
function paced() {
  let nowMs = 1_000;
  const presence = createPresence(5_000);
  const rests: { readonly ms: number; readonly end: () => void }[] = [];
  const rest = (ms: number): Promise<void> => new Promise((end) => rests.push({ ms, end }));
  const pace = createAnswerPace({ presence, cores: 2, clock: { now: () => nowMs, rest } });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const start = async (organizationId: string, steps: number): Promise<void> => {
    const step = (): Promise<void> => {
      begun.push(organizationId);
      return new Promise((end) => ends.push(end));
    };
    for (let i = 0; i < steps; i += 1) void pace.run(organizationId, step);
    await setImmediate();
  };
  const endOne = async (): Promise<void> => {
    nowMs += 10;
    ends.shift()!();
    await setImmediate();
  };
  const sendsBody = (organizationId: string): void => presence.seen(organizationId, nowMs);
  return { start, endOne, begun, rests, sendsBody, pass: (ms: number) => (nowMs += ms) };
}

test('an organization that is alone has two steps for each core, and no rest', async (t) => {
  const { start, endOne, begun, rests, sendsBody } = paced();
  sendsBody('reader');
  await start('reader', 6);
  t.is(begun.length, 4);
  await endOne();
  t.is(begun.length, 5);
  t.is(rests.length, 0);
});

test('beside others it has one at a time, for a quarter of the time', async (t) => {
  const { start, endOne, begun, rests, sendsBody } = paced();
  sendsBody('caller');
  await start('reader', 3);
  t.is(begun.length, 1);
  await endOne();
  t.is(begun.length, 1);
  t.deepEqual(
    rests.map(({ ms }) => ms),
    [30],
  );
  rests[0]!.end();
  await setImmediate();
  t.is(begun.length, 2);
});

test('who sends bodies is not delayed by others that read', async (t) => {
  const { start, begun, sendsBody } = paced();
  sendsBody('caller');
  await start('reader', 3);
  await start('caller', 3);
  t.deepEqual(begun, ['reader', 'caller', 'caller', 'caller']);
});

test('when the others are gone, all that wait go on', async (t) => {
  const { start, endOne, begun, sendsBody, pass } = paced();
  sendsBody('caller');
  await start('reader', 6);
  pass(6_000);
  await endOne();
  t.is(begun.length, 5);
});

test('a step that fails leaves its place', async (t) => {
  const pace = createAnswerPace({ presence: createPresence(5_000), cores: 1 });
  const fail = (): Promise<never> => Promise.reject(new Error('no such object'));
  for (let i = 0; i < 5; i += 1) await t.throwsAsync(pace.run('reader', fail));
  t.is(await pace.run('reader', () => Promise.resolve('read')), 'read');
});
