// The rate of an organization's bodies beside others, with a clock of its own.
import test from 'ava';
import { createBodyPace } from '../../../api/http/body-pace.ts';
import { createPresence } from '../../../models/fairness/presence.ts';

const blockBytes = 2 ** 16;
const mebibyte = 2 ** 20;

/** Two cores: 16 MiB a second after a burst of 32. */
function pace() {
  let nowMs = 1_000;
  const presence = createPresence(5_000);
  const rests: number[] = [];
  const rest = (ms: number): Promise<void> => {
    rests.push(ms);
    return Promise.resolve();
  };
  const paced = createBodyPace({
    presence,
    cores: 2,
    clock: { now: () => nowMs, rest },
  });
  const send = (organizationId: string, bytes: number, inBlocksOf = blockBytes): number => {
    rests.length = 0;
    for (let sent = 0; sent < bytes; sent += inBlocksOf) {
      void paced.passed(organizationId, inBlocksOf);
    }
    return rests.at(-1) ?? 0;
  };
  const begun = (organizationId: string): void => presence.seen(organizationId, nowMs);
  return { begun, send, pass: (ms: number) => (nowMs += ms) };
}

test('an organization that is alone sends as fast as it can', (t) => {
  const { begun, send } = pace();
  begun('alone');
  t.is(send('alone', 400 * mebibyte), 0);
});

test('beside others it has its rate behind the first 32 MiB, in all of its bodies', (t) => {
  const { begun, send, pass } = pace();
  begun('caller');
  begun('much');
  t.is(send('much', 32 * mebibyte), 0);
  t.is(send('much', 16 * mebibyte), 1_000);
  t.is(send('much', 16 * mebibyte), 2_000);
  pass(2_000);
  begun('caller');
  t.is(send('much', 8 * mebibyte), 500);
  // What it has not used for two seconds is a burst again.
  pass(500 + 2_000);
  begun('caller');
  t.is(send('much', 32 * mebibyte), 0);
});

test('a block has its cost, however small it is', (t) => {
  const { begun, send } = pace();
  begun('caller');
  begun('much');
  t.is(send('much', 32_768, 1), 0);
  t.is(send('much', 16_384, 1), 1_000);
});

test('what one sends does not delay another', (t) => {
  const { begun, send } = pace();
  begun('caller');
  send('much', 100 * mebibyte);
  t.is(send('caller', 30 * mebibyte), 0);
});

test('when the others are gone there is no limit, and no debt is left', (t) => {
  const { begun, send, pass } = pace();
  begun('caller');
  t.true(send('much', 64 * mebibyte) > 0);
  pass(6_000);
  t.is(send('much', 400 * mebibyte), 0);
  begun('caller');
  t.is(send('much', 32 * mebibyte), 0);
});
