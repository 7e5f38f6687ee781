// One encoder pass serves everything; what is not asked for does not run.
import test from 'ava';
import { toFloat } from '../../../models/audio/waveform.ts';
import { analyzeChunk } from '../../../models/inference/analyze-chunk.ts';
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
  const scores = await analyzeChunk(counted, samples, { words: false, text: false, head, spans });
  t.deepEqual(runs, { encoder: 1, decoder: 0, aligner: 0 });
  t.is(scores.scored.length, 1);
  t.deepEqual(scores.words, []);
  const all = await analyzeChunk(counted, samples, { words: true, text: false, head, spans: null });
  t.deepEqual(runs, { encoder: 2, decoder: 1, aligner: 1 });
  t.true(all.words.length >= 7);
  t.true(all.scored.length >= 1);
});
