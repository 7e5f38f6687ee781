// Recognisers that do not detect languages ask one that does, and only where it is needed.
import test from 'ava';
import type { NemoRecognizer } from '../../../models/asr/nemo/recognizer.ts';
import {
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
