// Word times from energy: in order, inside the chunk, on the loud parts.
import test from 'ava';
import fc from 'fast-check';
import { alignWords } from '../../../models/asr/word-times.ts';
import { toFloat } from '../../../models/audio/waveform.ts';
import { join16, silence, tone } from '../../support/speech.ts';

const spelled = (words: readonly string[]) =>
  words.map((word) => ({ word, confidence: 1, tokenCount: 1 }));

test('words lie in order inside the chunk, for any words and length', (t) => {
  const words = fc.array(fc.string({ minLength: 1, maxLength: 12 }), { maxLength: 12 });
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 40_000 }), (texts, count) => {
      const samples = Float32Array.from({ length: count }, (_, i) => Math.sin(i * i) * 0.1);
      let end = 0;
      for (const word of alignWords(spelled(texts), samples)) {
        t.true(word.start >= end - 1e-9 && word.end >= word.start);
        t.true(word.end <= count / 16_000 + 1e-9);
        end = word.end;
      }
    }),
    { numRuns: 60 },
  );
});

test('two bursts between silences are the two words, within 60 ms', (t) => {
  const samples = toFloat(
    join16([silence(0.5), tone(300, 0.4), silence(0.6), tone(300, 0.4), silence(0.5)]),
  );
  const [first, second] = alignWords(spelled(['hello', 'there']), samples);
  for (const [actual, expected] of [
    [first!.start, 0.5],
    [first!.end, 0.9],
    [second!.start, 1.5],
    [second!.end, 1.9],
  ] as const) {
    t.true(Math.abs(actual - expected) < 0.06, `${actual} is not ${expected}`);
  }
});
