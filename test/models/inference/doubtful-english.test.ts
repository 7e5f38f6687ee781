// Speech that sounds like English, of which English words make no sense, in the language it is in.
import test from 'ava';
import { openModelStore } from '../../../models/bundles/store.ts';
import { toFloat } from '../../../models/audio/waveform.ts';
import { analyzeChunks } from '../../../models/inference/analyze-chunks.ts';
import type {
  ChunkRecognizer,
  RecognisedText,
} from '../../../models/inference/chunk-recognizer.ts';
import type { ChunkRequest } from '../../../models/inference/jobs.ts';
import { loadModels } from '../../../models/inference/loaded-models.ts';
import { testServers } from '../../support/environment.ts';
import { speech } from '../../support/speech.ts';

const request: ChunkRequest = {
  ...{ words: true, language: null, text: false },
  ...{ head: null, spans: [] },
};

test('English without sense is heard by Whisper, and stays if that hears English', async (t) => {
  const models = await loadModels(openModelStore(testServers().modelsDirectory));
  const { wordAligner } = models.recognizer;
  // As of a voice whose words are all unlikely.
  const confidence = { bias: -2, meanLogProbability: 0, minLogProbability: 0, fit: 0 };
  const samples = toFloat(await speech('Thank you for calling, how can I help you today?'));
  let asked = 0;
  const dutch = { word: 'dank', start: 0.2, end: 0.6, confidence: 0.6 };
  const analyze = async (
    heard: Partial<RecognisedText>,
    { doubtful = true, ...own }: Partial<ChunkRequest> & { readonly doubtful?: boolean } = {},
  ) => {
    const transcriber: ChunkRecognizer = {
      recognise: async (chunks) =>
        chunks.map(({ language }) => {
          asked += 1;
          const languages = heard.languages ?? { nl: 1, en: 0 };
          const chosen = typeof language === 'string' ? language : language(languages);
          return { words: chosen === null ? [] : [dutch], text: '', language: chosen, languages };
        }),
    };
    const aligner = doubtful ? { ...wordAligner, confidence } : wordAligner;
    const recognizer = { ...models.recognizer, wordAligner: aligner };
    const from = { ...models, recognizer, transcriber, secondReader: null };
    const chunks = [{ samples: samples.length, request: { ...request, ...own } }];
    return (await analyzeChunks(from, samples, chunks))[0]!;
  };
  const heard = await analyze({});
  t.deepEqual([heard.language, heard.words, asked], ['nl', [dutch], 1]);
  const english = await analyze({ languages: { nl: 0.2, en: 0.8 } });
  t.deepEqual([english.language, english.words[0]!.word, asked], ['en', 'Thank', 2]);
  t.is((await analyze({}, { language: 'en' })).language, 'en');
  t.is((await analyze({}, { doubtful: false })).language, 'en');
  t.is(asked, 2);
});
