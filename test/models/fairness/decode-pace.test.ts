// How fast recordings are decoded beside others, with a clock of its own.
import test from 'ava';
import { createDecodePace } from '../../../models/fairness/decode-pace.ts';
import { createPresence } from '../../../models/fairness/presence.ts';

const blockSeconds = 4;

/** Two cores: four minutes of audio a second after a burst of ten. */
function paced() {
  let nowMs = 1_000;
  const callers = createPresence(5_000);
  const rests: number[] = [];
  const rest = async (ms: number): Promise<void> => {
    rests.push(ms);
    nowMs += ms;
  };
  const pace = createDecodePace({ callers, cores: 2, clock: { now: () => nowMs, rest } });
  /** @returns the milliseconds for which the decoder rested */
  const decode = async (organizationId: string, seconds: number): Promise<number> => {
    rests.length = 0;
    for (let done = 0; done < seconds; done += blockSeconds) {
      await pace.passed(organizationId, blockSeconds);
    }
    return rests.reduce((sum, ms) => sum + ms, 0);
  };
  return { decode, callerSeen: (id: string) => callers.seen(id, nowMs) };
}

test('who is alone is decoded as fast as it can be, however much it sends', async (t) => {
  const { decode, callerSeen } = paced();
  callerSeen('much');
  t.is(await decode('much', 24 * 3_600), 0);
});

test('beside others ten minutes are, and an hour takes a quarter of a minute', async (t) => {
  const { decode, callerSeen } = paced();
  callerSeen('caller');
  t.is(await decode('much', 600), 0);
  let restedMs = 0;
  for (let minute = 0; minute < 60; minute += 1) {
    callerSeen('caller');
    restedMs += await decode('much', 60);
  }
  t.is(Math.round(restedMs), 15_000);
});

test('what one has decoded does not delay another', async (t) => {
  const { decode, callerSeen } = paced();
  callerSeen('caller');
  await decode('much', 1_200);
  callerSeen('much');
  t.is(await decode('caller', 560), 0);
});
