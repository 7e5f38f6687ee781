// How fast Realtime sessions are read, under a clock of its own.
import test from 'ava';
import { createAudioPace, paceSession } from '../../../api/realtime/audio-pace.ts';

/** Sessions whose audio waits for its rests. */
function paced() {
  let nowMs = 1_000;
  let restedMs = 0;
  const clock = {
    now: () => nowMs,
    rest: async (ms: number): Promise<void> => {
      restedMs = ms;
    },
  };
  const pace = createAudioPace(clock);
  return {
    tick: (ms: number) => void (nowMs += ms),
    open: (organizationId: string) => {
      const rested = Promise.withResolvers<void>();
      const session = paceSession(organizationId, rested.resolve, { pace, clock });
      return { ...session, rested: rested.promise };
    },
    /** The last rest. */
    restedMs: () => restedMs,
  };
}

test('what is spoken while it is sent is read at once, however many sessions there are', (t) => {
  const { open, tick } = paced();
  const sessions = Array.from({ length: 500 }, () => open('org'));
  for (let second = 0; second < 300; second += 1) {
    for (const session of sessions) session.count(1);
    tick(1_000);
  }
  t.false(sessions.some(({ isResting }) => isResting()));
});

test('sessions of an organization that send faster are read at a minute a second', async (t) => {
  const { open, restedMs } = paced();
  const [one, two, other] = [open('org'), open('org'), open('other')];
  one.count(10 + 30);
  two.count(10 + 20);
  t.false(one.isResting() || two.isResting());
  two.count(40);
  t.true(two.isResting());
  t.is(Math.round(restedMs()), 500);
  one.count(60);
  t.is(Math.round(restedMs()), 1_500);
  other.count(65);
  t.false(other.isResting());
  await Promise.all([one.rested, two.rested]);
  t.false(one.isResting() || two.isResting());
  one.count(60);
  t.true(open('org').isResting());
  t.false(open('other').isResting());
});
