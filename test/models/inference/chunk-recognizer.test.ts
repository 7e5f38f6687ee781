// Recognisers that do not detect languages ask one that does, and only where it is needed.
import test from 'ava';
import type { NemoRecognizer } from '../../../models/asr/nemo/recognizer.ts';
import {
  timedByAttention,
  timedByDurations,
  type ChunkRecognizer,
} from '../../../models/inference/chunk-recognizer.ts';

const word = { word: 'ja', start: 0.08, end: 0.24, confidence: 0.9 };
const nemo: NemoRecognizer = { decode: async () => [], words: () => [word] };
const use = <R>(work: (loaded: NemoRecognizer) => Promise<R>): Promise<R> => work(nemo);
const samples = new Float32Array(16_000);

test('an unknown language is detected, and nothing is recognised without one', async (t) => {
  const asked: number[] = [];
  const detector: ChunkRecognizer = {
    recognise: async (chunks) => {
      asked.push(chunks.length);
      return chunks.map(({ language }) => {
        const languages = { de: 0.7, en: 0.3 };
        const chosen = typeof language === 'string' ? language : language(languages);
        t.is(chosen, null, 'the detector transcribes nothing');
        return { language: null, languages, text: '', words: [] };
      });
    },
  };
  const recognizer = timedByDurations({ use }, { languages: ['de', 'en'], detector });
  const chunks = [
    { samples, language: 'en' },
    { samples, language: () => 'de' },
    { samples, language: () => null },
  ];
  const [given, detected, none] = await recognizer.recognise(chunks, { words: true });
  t.deepEqual(given, { language: 'en', languages: {}, text: 'ja', words: [word] });
  t.like(detected, { language: 'de', languages: { de: 0.7, en: 0.3 }, text: 'ja' });
  t.like(none, { language: null, text: '', words: [] });
  t.deepEqual(asked, [2]);
});

test('a recogniser of one language needs no detector', async (t) => {
  const recognizer = timedByDurations({ use }, { languages: ['en'], detector: null });
  const choices: object[] = [];
  const language = (languages: object) => (choices.push(languages), 'en');
  const [only] = await recognizer.recognise([{ samples, language }], { words: true });
  t.is(only!.language, 'en');
  t.deepEqual(choices, [{ en: 1 }]);
});

test('what is left out after a word of many seconds is recognised from there', async (t) => {
  const asked: number[] = [];
  // Silence for four seconds, then a voice to the end.
  const sound = Float32Array.from({ length: 10 * 16_000 }, (_, i) => {
    return Math.sin(i * i) * (i < 4 * 16_000 ? 0.005 : 0.25);
  });
  // After the silence each word takes a second, the last one all that is left.
  const attended = (seconds: number, words: readonly string[]) => ({
    words: words.map((each) => {
      return { word: each, tokens: 1, meanLogProbability: -0.1, minLogProbability: -0.1 };
    }),
    attention: [...words.keys(), seconds].map((place) => {
      const start = place + (seconds > 7 ? 4 : 0);
      const end = place === words.length - 1 ? seconds : start + 1;
      const row = Float32Array.from({ length: seconds * 50 }, (_, frame) => {
        return frame >= start * 50 && frame < end * 50 ? 1 : 0.05;
      });
      return Array<Float32Array>(8).fill(row);
    }),
  });
  const read = (seconds: number, complete: boolean): readonly string[] => {
    if (seconds > 7) return ['su.', 'volumen'];
    return complete ? ['volumen', 'u', 'ocho', 'para', 'salir', 'de', 'este'] : ['volumen'];
  };
  const recognizer = (complete: boolean) =>
    timedByAttention({
      confidence: { bias: 2, meanLogProbability: 1, minLogProbability: 1 },
      recognise: async (chunks) =>
        chunks.map(({ samples: own, language }) => {
          const seconds = Math.floor(own.length / 16_000);
          asked.push(seconds);
          const words = attended(seconds, read(seconds, complete));
          return { language: language as string, languages: {}, text: '', words };
        }),
    });
  const chunk = { samples: sound, language: 'es' };
  const [found] = await recognizer(true).recognise([chunk], { words: true });
  t.is(found!.text, 'su. Volumen u ocho para salir de este');
  t.true(found!.words.every(({ end }, i, all) => end <= (all[i + 1]?.start ?? 10)));
  const [same] = await recognizer(false).recognise([chunk], { words: true });
  t.deepEqual(
    same!.words.map((each) => each.word),
    ['su.', 'volumen'],
  );
  t.is(asked.length, 4);
});
