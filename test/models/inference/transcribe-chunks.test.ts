// Models that write texts in whatever language is spoken, where the words of these are needed.
import test from 'ava';
import { toFloat } from '../../../models/audio/waveform.ts';
import { openModelStore } from '../../../models/bundles/store.ts';
import { languageOf } from '../../../models/contract/served-models.ts';
import { analyzeChunks } from '../../../models/inference/analyze-chunks.ts';
import type { ChunkRequest } from '../../../models/inference/jobs.ts';
import { loadModels } from '../../../models/inference/loaded-models.ts';
import { testServers } from '../../support/environment.ts';
import { speech, speechIn } from '../../support/speech.ts';

test('words are those of the text, in its language', async (t) => {
  const models = await loadModels(openModelStore(testServers().modelsDirectory));
  const request = { head: null, spans: [], words: false, text: false, language: null };
  const analyze = async (pcm: Int16Array, own: Partial<ChunkRequest>) => {
    const samples = toFloat(pcm);
    const asked = { ...request, model: 'svc-spectra-2', ...own };
    return (
      await analyzeChunks(models, samples, [{ samples: samples.length, request: asked }])
    )[0]!;
  };
  const german = await speechIn('de', 'Guten Morgen, ich möchte meine Bestellung ändern.');
  const english = await speech('Thank you for calling, how can I help you today?');
  for (const [pcm, code] of [
    [german, 'de'],
    [english, 'en'],
  ] as const) {
    const { written } = await analyze(pcm, { text: true });
    const { words, language } = await analyze(pcm, { words: true });
    t.is(written?.language, code);
    t.is(language, code);
    t.is(words.map(({ word }) => word).join(' '), written!.text);
    const detected = await analyze(pcm, { words: true, detectionOnly: true });
    t.deepEqual([detected.words, detected.language], [[], null]);
    t.true(detected.languages![code]! > 0.5);
    const fixed = await analyze(pcm, { words: true, language: code });
    t.deepEqual(fixed.words, words);
  }
});

test('no language is fixed for them', (t) => {
  t.is(languageOf({ model: 'svc-spectra-2', options: {} }), null);
  t.is(languageOf({ model: 'svc-svceet', options: {} }), 'en');
  t.is(languageOf({ model: 'svc-resonance', options: {} }), null);
  t.is(languageOf({ model: 'svc-resonance', options: { language: 'de' } }), 'de');
});
