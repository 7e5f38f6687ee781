// One encoder pass serves all outputs, and what is not requested does not run.
import test from 'ava';
import { toFloat } from '../../../models/audio/waveform.ts';
import { analyzeChunks } from '../../../models/inference/analyze-chunks.ts';
import type { ChunkRequest } from '../../../models/inference/jobs.ts';
import { loadModels } from '../../../models/inference/loaded-models.ts';
import { openModelStore } from '../../../models/bundles/store.ts';
import { testServers } from '../../support/environment.ts';
import { speech } from '../../support/speech.ts';

test('scores alone never run the decoder or the aligner; words run each once', async (t) => {
  const loaded = await loadModels(openModelStore(testServers().modelsDirectory));
  const runs = { encoder: 0, decoder: 0, aligner: 0 };
  const counted = {
    ...loaded,
    encoder: {
      encode: (samples: Float32Array) => ((runs.encoder += 1), loaded.encoder.encode(samples)),
    },
    decoder: {
      decode: (...args: Parameters<typeof loaded.decoder.decode>) => (
        (runs.decoder += 1),
        loaded.decoder.decode(...args)
      ),
    },
    phoneScorer: {
      score: (...args: Parameters<typeof loaded.phoneScorer.score>) => (
        (runs.aligner += 1),
        loaded.phoneScorer.score(...args)
      ),
    },
  };
  const samples = toFloat(await speech('I am calling about the invoice of last month.'));
  const spans = [{ start: 0, end: samples.length / 16_000 }];
  const head = 'svc-resonance';
  const analyze = async (request: ChunkRequest) =>
    (await analyzeChunks(counted, samples, [{ samples: samples.length, request }]))[0]!;
  const scores = await analyze({ words: false, language: 'en', text: false, head, spans });
  t.deepEqual(runs, { encoder: 1, decoder: 0, aligner: 0 });
  t.is(scores.scored.length, 1);
  t.deepEqual(scores.words, []);
  const all = await analyze({ words: true, language: 'en', text: false, head, spans });
  t.deepEqual(runs, { encoder: 2, decoder: 1, aligner: 1 });
  t.true(all.words.length >= 7);
  t.true(all.scored.length >= 1);
});

test('chunks of one job are returned in order, each with what it requested', async (t) => {
  const models = await loadModels(openModelStore(testServers().modelsDirectory));
  const spoken = await Promise.all([speech('Please hold the line.'), speech('Good morning.')]);
  const silent = new Int16Array(16_000);
  const [hold, morning] = spoken as [Int16Array, Int16Array];
  const pcm = [hold, silent, morning, hold].map((clip) => toFloat(clip));
  const words = { words: true, language: 'en', text: false, head: null, spans: [] };
  const spans = [{ start: 0, end: hold.length / 16_000 }];
  const scores = { ...words, words: false, head: 'svc-resonance', spans };
  const requests = [words, words, words, scores];
  const all = new Float32Array(pcm.reduce((sum, clip) => sum + clip.length, 0));
  let offset = 0;
  const chunks = pcm.map((clip, i) => {
    all.set(clip, offset);
    offset += clip.length;
    return { samples: clip.length, request: requests[i]! };
  });
  const analyses = await analyzeChunks(models, all, chunks);
  const text = analyses.map((analysis) => analysis.words.map(({ word }) => word).join(' '));
  t.regex(text[0]!, /hold the line/i);
  t.regex(text[2]!, /good morning/i);
  t.deepEqual([text[1], text[3]], ['', '']);
  t.deepEqual(
    analyses.map(({ scored }) => scored.length),
    [0, 0, 0, 1],
  );
  const [alone] = await analyzeChunks(models, pcm[2]!, [chunks[2]!]);
  t.deepEqual(analyses[2], alone);
});

test('each chunk is recognised in its language: English by Moonshine, others by Whisper', async (t) => {
  const models = await loadModels(openModelStore(testServers().modelsDirectory));
  const hold = toFloat(await speech('Please hold the line.'));
  const pcm = new Float32Array(2 * hold.length);
  pcm.set(hold);
  pcm.set(hold, hold.length);
  const request = { words: true, language: 'en', text: false, head: null, spans: [] };
  const requests = [request, { ...request, language: null }];
  const chunks = requests.map((own) => ({ samples: hold.length, request: own }));
  const [moonshine, whisper] = await analyzeChunks(models, pcm, chunks);
  t.deepEqual([moonshine!.language, moonshine!.languages], ['en', null]);
  t.is(whisper!.language, 'en');
  t.true(whisper!.languages!.en! > 0.5);
  for (const { words } of [moonshine!, whisper!]) {
    t.regex(words.map(({ word }) => word).join(' '), /hold the line/i);
  }
});
