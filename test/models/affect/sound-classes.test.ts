// Speech sounds like speech, at any level; music and noise do not.
import test from 'ava';
import { toFloat } from '../../../models/audio/waveform.ts';
import { openModelStore } from '../../../models/bundles/store.ts';
import { loadSoundClasses, windowsOf } from '../../../models/affect/sound-classes.ts';
import { testServers } from '../../support/environment.ts';
import { untrainedKinds, untrainedSound } from '../../support/sounds.ts';
import { speech } from '../../support/speech.ts';

const hop = 160;

test('speech is told from sounds of many kinds, wherever it is and however loud', async (t) => {
  const store = openModelStore(testServers().modelsDirectory);
  const { directory, manifest } = store.bundle('sound-classes', 'sound-classes');
  const classes = await loadSoundClasses(directory, manifest);
  const spoken = toFloat(await speech('I would like to change the address on my account, please.'));
  const whole = { start: 0, end: spoken.length / 16_000 };
  const odds = await classes.speechLogOdds(spoken, whole);
  t.true(odds > 3, `${odds}`);
  t.true(
    Math.abs(
      (await classes.speechLogOdds(
        spoken.map((x) => x / 100),
        whole,
      )) - odds,
    ) < 1e-3,
  );

  const later = new Float32Array(spoken.length + 320 * hop);
  later.set(spoken, 160 * hop);
  const moved = { start: whole.start + 1.6, end: whole.end + 1.6 };
  t.true(
    Math.abs((await classes.speechLogOdds(later, moved)) - odds) < 1e-3,
    'silence around it is none',
  );

  const heard = await Promise.all(
    untrainedKinds.map((kind) => {
      return classes.speechLogOdds(untrainedSound(kind, { seconds: 2, seed: 5 }), {
        start: 0,
        end: 2,
      });
    }),
  );
  const taken = untrainedKinds.filter((_, i) => heard[i]! >= 0);
  t.true(taken.length <= 1, `${taken.join()}`);
  t.true(
    Number.isFinite(await classes.speechLogOdds(new Float32Array(16_000), { start: 0, end: 1 })),
  );
});

test('windows are spread over a span, and a short one has one around its middle', (t) => {
  const samples = Float32Array.from({ length: 20 * 16_000 }, (_, i) => i);
  const short = windowsOf(samples, { start: 1, end: 1.1 });
  t.deepEqual(short.starts, [5]);
  t.is(short.part[0], 16_000 - 34 * hop);
  const long = windowsOf(samples, { start: 2, end: 12 });
  t.is(long.starts.length, 8);
  t.true(long.starts.every((start) => (start + 68) * hop + 240 <= long.part.length));
  const first = windowsOf(samples, { start: 0, end: 0.4 });
  t.is(first.part[34 * hop + 1], 1, 'silence before the recording');
  t.is(windowsOf(samples, { start: 19.9, end: 20 }).part.at(-1), 0, 'and behind it');
});
