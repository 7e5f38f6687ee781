// Chunks of a recording that is hardly in English: Whisper is asked before Moonshine.
import test from 'ava';
import { openModelStore } from '../../../models/bundles/store.ts';
import { toFloat } from '../../../models/audio/waveform.ts';
import { analyzeChunks } from '../../../models/inference/analyze-chunks.ts';
import type { ChunkRecognizer } from '../../../models/inference/chunk-recognizer.ts';
import type { ChunkRequest } from '../../../models/inference/jobs.ts';
import { loadModels, type LoadedModels } from '../../../models/inference/loaded-models.ts';
import { testServers } from '../../support/environment.ts';
import { speech } from '../../support/speech.ts';

test('where English is unlikely, Moonshine hears what Whisper takes for English', async (t) => {
  const models = await loadModels(openModelStore(testServers().modelsDirectory));
  let encoded = 0;
  const { encoder } = models.recognizer;
  const encode = (samples: Float32Array) => ((encoded += 1), encoder.encode(samples));
  const counted = { ...models, recognizer: { ...models.recognizer, encoder: { encode } } };
  const samples = toFloat(await speech('Thank you for calling, how can I help you today?'));
  const request = { words: true, language: null, text: false, head: null, spans: [] };
  const analyze = async (own: Partial<ChunkRequest>, from: LoadedModels = counted) => {
    const chunks = [{ samples: samples.length, request: { ...request, ...own } }];
    return (await analyzeChunks(from, samples, chunks))[0]!;
  };
  const usual = await analyze({});
  t.is(encoded, 1);
  t.is(usual.language, 'en');
  const unlikely = await analyze({ unlikelyEnglish: true });
  t.is(encoded, 2);
  t.deepEqual(
    { ...unlikely, languages: null, inferenceMs: 0, englishParts: null },
    { ...usual, languages: null, inferenceMs: 0, englishParts: null },
  );
  const transcriber: ChunkRecognizer = {
    recognise: async () => [{ words: [], text: '', language: 'es', languages: { es: 1, en: 0 } }],
  };
  const spanish = await analyze({ unlikelyEnglish: true }, { ...counted, transcriber });
  t.is(encoded, 2);
  t.is(spanish.language, 'es');
  // Without a model for other languages, Moonshine recognises everything.
  await analyze({ unlikelyEnglish: true }, { ...counted, transcriber: null });
  t.is(encoded, 3);
});
