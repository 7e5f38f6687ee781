// Second opinions on English words that Moonshine is unsure of.
import test from 'ava';
import { toFloat } from '../../../models/audio/waveform.ts';
import { openModelStore } from '../../../models/bundles/store.ts';
import { analyzeChunks } from '../../../models/inference/analyze-chunks.ts';
import { loadModels, type LoadedModels } from '../../../models/inference/loaded-models.ts';
import { testServers } from '../../support/environment.ts';
import { speech } from '../../support/speech.ts';

test('unsure words are read again, once and together, and the aligner times them', async (t) => {
  const loaded = await loadModels(openModelStore(testServers().modelsDirectory));
  const asked: number[] = [];
  const reading = ['Please', 'call', 'Siobhan', 'back.'].map((word) => ({
    ...{ word, meanLogProbability: -0.01, minLogProbability: -0.01 },
  }));
  const secondReader = {
    ...loaded.secondReader!,
    spell: async (chunks: readonly unknown[]) => {
      asked.push(chunks.length);
      return chunks.map(() => reading);
    },
  };
  const { wordAligner } = loaded.recognizer;
  const withBias = (bias: number) => {
    const biased = { ...wordAligner, confidence: { ...wordAligner.confidence, bias } };
    return { ...loaded, secondReader, recognizer: { ...loaded.recognizer, wordAligner: biased } };
  };
  const [doubting, sure] = [withBias(0), withBias(9)];
  const samples = toFloat(await speech('Please call Siobhan back.'));
  const analyze = async (models: LoadedModels, model: string) => {
    const request = { words: true, language: 'en', text: false, head: null, spans: [], model };
    const chunk = { samples: samples.length, request };
    const twice = new Float32Array([...samples, ...samples]);
    const [first, second] = await analyzeChunks(models, twice, [chunk, chunk]);
    t.deepEqual({ ...second, inferenceMs: 0 }, { ...first, inferenceMs: 0 });
    return first!.words;
  };
  const unsure = await analyze(doubting, 'svc-resonance');
  t.deepEqual(asked, [2]);
  t.deepEqual(
    unsure.map(({ word }) => word),
    reading.map(({ word }) => word),
  );
  t.true(unsure.every(({ start, end }, i) => start < end && end <= (unsure[i + 1]?.start ?? 99)));
  t.true(
    unsure.every(({ confidence }) => confidence! > 0.5),
    'by the weights of that reader',
  );
  await analyze(sure, 'svc-resonance');
  await analyze(doubting, 'svc-svceet');
  t.deepEqual(asked, [2], 'neither sure words nor those of another model');
  const alone = await analyze({ ...doubting, secondReader: null }, 'svc-resonance');
  t.true(alone.length > 0);
});

test('a sentence that is read in the sound of a word is not kept', async (t) => {
  const loaded = await loadModels(openModelStore(testServers().modelsDirectory));
  const text = "You know, I'm not going to be able to";
  const reading = text.split(' ').map((word) => {
    return { word, meanLogProbability: -0.01, minLogProbability: -0.01 };
  });
  const secondReader = { ...loaded.secondReader!, spell: async () => [reading] };
  const { wordAligner } = loaded.recognizer;
  const doubting = { ...wordAligner, confidence: { ...wordAligner.confidence, bias: -9 } };
  const recognizer = { ...loaded.recognizer, wordAligner: doubting };
  const samples = toFloat(await speech('Yes.'));
  const request = { words: true, language: 'en', text: false, head: null, spans: [] };
  const chunk = { samples: samples.length, request: { ...request, model: 'svc-resonance' } };
  const models = { ...loaded, secondReader, recognizer };
  const [found] = await analyzeChunks(models, samples, [chunk]);
  t.false(found!.words.some(({ word }) => word === 'know,'));
});
