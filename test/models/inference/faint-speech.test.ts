// Where voice activity is unsure, a chunk without speech has neither words nor scores.
import test from 'ava';
import { toFloat } from '../../../models/audio/waveform.ts';
import { openModelStore } from '../../../models/bundles/store.ts';
import { analyzeChunks } from '../../../models/inference/analyze-chunks.ts';
import type { ChunkAnalysis, ChunkRequest } from '../../../models/inference/jobs.ts';
import { loadModels } from '../../../models/inference/loaded-models.ts';
import { testServers } from '../../support/environment.ts';
import { untrainedSound } from '../../support/sounds.ts';
import { speech } from '../../support/speech.ts';

test('faint speech is recognised and scored, another sound is neither', async (t) => {
  const models = await loadModels(openModelStore(testServers().modelsDirectory));
  const analyze = async (
    samples: Float32Array,
    more: Partial<ChunkRequest> = {},
  ): Promise<Omit<ChunkAnalysis, 'inferenceMs'>> => {
    const request = {
      ...{ words: true, language: 'en', text: false, head: 'svc-resonance' },
      ...{ spans: [{ start: 0, end: samples.length / 16_000 }], isFaint: true as const, ...more },
    };
    return (await analyzeChunks(models, samples, [{ samples: samples.length, request }]))[0]!;
  };
  const word = toFloat(await speech('Yes.'));
  const said = await analyze(word);
  t.is(said.words.length, 1);
  t.is(said.scored.length, 1);
  t.is((await analyze(word, { words: false })).scored.length, 1);

  const { length } = word;
  const late = new Float32Array(length + 32_000);
  late.set(word, 32_000);
  const faintSpeech = [{ start: 2, end: 2 + length / 16_000 }];
  const asked = { words: false, head: 'svczero' };
  t.is((await analyze(late, { ...asked, faintSpeech })).scored.length, 1, 'the whole is scored');
  t.deepEqual(
    (await analyze(late, { ...asked, faintSpeech: [{ start: 0, end: 0.5 }] })).scored,
    [],
  );

  const sound = untrainedSound('drums', { seconds: 1, seed: 2 });
  const other = await analyze(sound);
  t.deepEqual(other.words, []);
  t.deepEqual(other.scored, []);
  t.deepEqual((await analyze(sound, { words: false, head: null })).words, []);
});
