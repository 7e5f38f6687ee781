// Pieces to text, choices of tokens, and what is believed of what was written.
import test from 'ava';
import fc from 'fast-check';
import {
  compressionRatio,
  endsInLoop,
  hasLoop,
  isDoubtful,
  isSilence,
} from '../../../../models/asr/whisper/acceptance.ts';
import {
  chooseToken,
  probabilityOf,
  seededRandom,
} from '../../../../models/asr/whisper/sampling.ts';
import { parseWhisperVocabulary } from '../../../../models/asr/whisper/tokens.ts';

test('pieces are joined as bytes: a letter may span tokens, markers are never written', (t) => {
  const file = Buffer.from(['Ã', '©', 'Ġah', '<|en|>', '!'].join('\n'));
  const vocabulary = parseWhisperVocabulary(file);
  t.is(vocabulary.size, 5);
  t.is(vocabulary.text([3, 0, 1, 2, 4]), 'é ah!');
});

test('the likeliest token wins at temperature 0, and samples follow the distribution', (t) => {
  const logits = Float32Array.from([0, 2, 1, -Infinity]);
  const never = (): number => t.fail('asked for a random number') as never;
  const best = chooseToken(logits, 0, never);
  t.is(best.id, 1);
  const total = Math.exp(0) + Math.exp(2) + Math.exp(1);
  t.true(Math.abs(best.logProbability - Math.log(Math.exp(2) / total)) < 1e-6);
  t.true(Math.abs(probabilityOf(logits, 2) - Math.exp(1) / total) < 1e-6);
  const random = seededRandom(7);
  const counts = [0, 0, 0, 0];
  for (let i = 0; i < 20_000; i += 1) counts[chooseToken(logits, 1, random).id]! += 1;
  counts.forEach((count, i) => {
    t.true(Math.abs(count / 20_000 - Math.exp(logits[i]!) / total) < 0.015, `${i}: ${count}`);
  });
});

test('random numbers repeat with their seed and stay in [0, 1)', (t) => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const [a, b] = [seededRandom(seed), seededRandom(seed)];
      return Array.from({ length: 20 }, () => [a(), b()]).every(
        ([x, y]) => x === y && x! >= 0 && x! < 1,
      );
    }),
  );
  t.pass();
});

const plain = { tokens: [], ended: true, text: 'Good morning, how are you?', noSpeech: 0.1 };

test('loops, unlikely text and a missing end are retried; silence is not', (t) => {
  t.false(isDoubtful({ ...plain, meanLogProbability: -0.3 }, 'en'));
  t.true(isDoubtful({ ...plain, meanLogProbability: -1.2 }, 'en'));
  t.true(isDoubtful({ ...plain, ended: false, meanLogProbability: -0.3 }, 'en'));
  t.true(isDoubtful({ ...plain, text: '我们', meanLogProbability: -0.3 }, 'en'), 'other letters');
  const text = 'Thank you. '.repeat(30);
  t.true(compressionRatio(text) > 2.4);
  t.true(isDoubtful({ ...plain, text, meanLogProbability: -0.1 }, 'en'));
  const silent = { ...plain, noSpeech: 0.8, meanLogProbability: -1.2 };
  t.true(isSilence(silent));
  t.false(isDoubtful(silent, 'en'));
});

test('a phrase that is repeated through forty tokens is a loop; a long list is not', (t) => {
  const tokens = (ids: readonly number[]) => ids.map((id) => ({ id, logProbability: 0 }));
  const repeated = (phrase: readonly number[], times: number) =>
    Array.from({ length: times }, () => phrase).flat();
  t.true(endsInLoop(tokens([7, 8, 9, ...repeated([1, 2, 3], 14)])));
  t.true(endsInLoop(tokens(repeated([5], 40))));
  t.false(endsInLoop(tokens(repeated([5], 39))));
  t.false(endsInLoop(tokens([...repeated([1, 2, 3], 14), 4])), 'the phrase has ended');
  t.false(endsInLoop(tokens(Array.from({ length: 80 }, (_, i) => i % 10))), 'ten words, counted');
});

test('a loop that the text leaves again is retried; a number of zeros is not', (t) => {
  const said = (times: number) =>
    [10, 11, 12, ...Array.from({ length: times }, () => 5), 13, 14].map((id) => ({
      ...{ id, logProbability: 0 },
    }));
  const text = `non puoi mandare audio ${'ag '.repeat(10)}agli altri partecipanti della conferenza`;
  t.true(compressionRatio(text) < 2.4);
  t.true(hasLoop(said(10)));
  t.true(isDoubtful({ ...plain, tokens: said(10), text, meanLogProbability: -0.2 }, 'en'));
  t.false(isDoubtful({ ...plain, tokens: said(9), meanLogProbability: -0.2 }, 'en'));
});

test('the caption of a sound is no speech; abbreviations and spelled names are', (t) => {
  const sure = { ...plain, meanLogProbability: -0.3 };
  t.true(isSilence({ ...sure, text: 'СПОКОЙНАЯ МУЗЫКА' }));
  t.true(isSilence({ ...sure, text: '[APPLAUSE]' }));
  for (const text of ['BBVA.', 'S-C-H-N-E-I-D-E-R.', 'P, E, D, R, O, G, I, L.', 'IBAN, ING-DIBA'])
    t.false(isSilence({ ...sure, text }), text);
  t.false(isSilence({ ...sure, text: 'Спокойная музыка' }));
  t.false(isSilence({ ...sure, text: '1234567890' }));
});
