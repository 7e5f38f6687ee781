// Sentences that Whisper left out of a chunk are read piece by piece.
import test from 'ava';
import type { ChunkToTranscribe } from '../../../models/asr/whisper/temperature-fallback.ts';
import type { ChunkRecognizer } from '../../../models/inference/chunk-recognizer.ts';
import { withLeftOutSpeech } from '../../../models/inference/left-out-speech.ts';
import { hopSamples } from '../../../models/vad/hops.ts';

const rate = 16_000;
/** Three sentences of 4 s with pauses of 1.2 s, within 16 s. */
const spoken = [0.4, 5.6, 10.8].map((start) => [start, start + 4] as const);
const chunk: ChunkToTranscribe = { samples: new Float32Array(16 * rate), language: 'es' };

const voiceActivity = {
  probabilities: async (samples: Float32Array) =>
    Float32Array.from({ length: Math.ceil(samples.length / hopSamples) }, (_, hop) => {
      const at = (hop * hopSamples) / rate;
      return spoken.some(([start, end]) => at >= start && at < end) ? 0.9 : 0.01;
    }),
};

/** Writes one text for the chunk and another for each of its pieces. */
function reading(ofChunk: string, ofPiece: string) {
  const asked: number[][] = [];
  const recognizer: ChunkRecognizer = {
    recognise: async (chunks) => {
      asked.push(chunks.map(({ samples }) => samples.length / rate));
      return chunks.map(({ samples }) => {
        const text = samples.length === chunk.samples.length ? ofChunk : ofPiece;
        const words = [{ word: text, start: 1, end: 2, confidence: 0.9 }];
        return { language: 'es', languages: { es: 1 }, text, words };
      });
    },
  };
  return { asked, complete: withLeftOutSpeech(recognizer, voiceActivity) };
}

test('a text that is too short for its speech is read piece by piece', async (t) => {
  const sentence = 'Una frase de unas cuarenta letras, o algo más.';
  const { asked, complete } = reading('Una frase de las tres.', sentence);
  const [found] = await complete.recognise([chunk], { words: true });
  t.is(found!.text, [sentence, sentence, sentence].join(' '));
  t.deepEqual(found!.languages, { es: 1 }, 'what was detected stays');
  t.is(asked.length, 2);
  t.is(asked[1]!.length, 3);
  for (const [i, seconds] of asked[1]!.entries()) {
    t.true(seconds > 4.5 && seconds < 4.8, 'a sentence with 0.3 s around it');
    const { start, end } = found!.words[i]!;
    t.true(Math.abs(start - (spoken[i]![0] - 0.3 + 1)) < 0.06, 'on the clock of the chunk');
    t.true(Math.abs(end - start - 1) < 1e-9);
  }
});

test('a sentence that is read on its own begins with a capital letter', async (t) => {
  const { complete } = reading('Una frase de las tres.', 'una frase de unas cuarenta letras.');
  const [{ words } = { words: [] }] = await complete.recognise([chunk], { words: true });
  t.deepEqual(
    words.map(({ word }) => word[0]),
    ['u', 'U', 'U'],
  );
});

test('a text stays that is long enough, or of which the pieces have no more', async (t) => {
  const long =
    'Una frase de unas cuarenta letras, y otras dos que tardan tanto como ella, dichas con pausas.';
  const enough = reading(long, `${long} Más.`);
  const [same] = await enough.complete.recognise([chunk], { words: false });
  t.is(same!.text, long);
  t.is(enough.asked.length, 1);
  const noMore = reading('Una frase de las tres.', 'Una.');
  const [kept] = await noMore.complete.recognise([chunk], { words: false });
  t.is(kept!.text, 'Una frase de las tres.');
});

test('without speech, a language or a pause nothing is read again', async (t) => {
  const recognised = async (own: Partial<ChunkToTranscribe>, text: string): Promise<number> => {
    const { asked, complete } = reading(text, 'Una frase más larga que la otra.');
    await complete.recognise([{ ...chunk, ...own }], { words: false });
    return asked.length;
  };
  t.is(await recognised({}, ''), 1);
  t.is(await recognised({ detectionOnly: true }, 'Una.'), 1);
  t.is(await recognised({ samples: new Float32Array(6 * rate) }, 'Una.'), 1);
});
