// Where voice activity is unsure, a chunk without speech has neither words nor scores; where the
// recogniser is, it has no words.
import test from 'ava';
import { toFloat } from '../../../models/audio/waveform.ts';
import { openModelStore } from '../../../models/bundles/store.ts';
import { analyzeChunks } from '../../../models/inference/analyze-chunks.ts';
import { withoutUnheardWords } from '../../../models/inference/faint-speech.ts';
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

test('unsure words stay where the speech check hears speech', async (t) => {
  const models = await loadModels(openModelStore(testServers().modelsDirectory));
  const kept = async (pcm: Float32Array, confidence: number, spans = [{ start: 0, end: 1 }]) => {
    const request = { words: true, language: null, text: false, head: null, spans };
    const chunk = { request, pcm, sound: null };
    const words = [
      { word: 'Thank', start: 0.1, end: 0.4, confidence },
      { word: 'you.', start: 0.4, end: 0.8, confidence: confidence + 0.1 },
    ];
    const recognised = { words, language: 'en', languages: null, english: 2 };
    const found = await withoutUnheardWords(models, new Map([[chunk, recognised]]), new Map());
    return found.get(chunk)!.words.length;
  };
  const drums = untrainedSound('drums', { seconds: 1, seed: 2 });
  t.is(await kept(drums, 0.3), 0);
  t.is(await kept(drums, 0.6), 2, 'the recogniser is sure');
  t.is(await kept(drums, 0.3, []), 2, 'a piece of a chunk is not asked again');
  t.is(await kept(toFloat(await speech('Thank you.')), 0.3), 2);

  const encoder = { encode: (): never => t.fail('the scores say what was heard') as never };
  const scored = { ...models, features: { ...models.features, encoder } };
  for (const [logit, odds, count] of [
    [0.5, 0, 0],
    [1, 0, 1],
    [5, -5, 0],
    [8, -5, 1],
  ] as const) {
    const spans = [{ start: 0, end: 1, readings: Float32Array.of(0.2, logit, odds) }];
    const request = { words: true, language: null, text: false, head: 'svc-resonance', spans };
    const chunk = { request, pcm: drums, sound: null };
    const words = [{ word: 'You', start: 0.1, end: 0.4, confidence: 0.3 }];
    const recognised = new Map([[chunk, { words, language: 'en', languages: null, english: 2 }]]);
    const found = await withoutUnheardWords(scored, recognised, new Map([[chunk, spans]]));
    t.is(found.get(chunk)!.words.length, count);
  }
});
