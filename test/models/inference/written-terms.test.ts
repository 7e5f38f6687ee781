// Terms whose letters were recognised are written as they are given, whichever model has the word.
import test from 'ava';
import { toFloat } from '../../../models/audio/waveform.ts';
import { openModelStore } from '../../../models/bundles/store.ts';
import { analyzeChunks } from '../../../models/inference/analyze-chunks.ts';
import { loadModels } from '../../../models/inference/loaded-models.ts';
import { redactTurns } from '../../../models/redaction/redact-turns.ts';
import { redactionOf } from '../../../models/redaction/redaction-of.ts';
import { testServers } from '../../support/environment.ts';
import { speech, speechIn } from '../../support/speech.ts';

const models = loadModels(openModelStore(testServers().modelsDirectory));

async function analyze(
  samples: Float32Array,
  request: { readonly words: boolean; readonly text: boolean; readonly language: string | null },
  vocabulary: readonly string[],
) {
  const asked = { ...request, head: null, spans: [], model: 'svc-resonance', vocabulary };
  const chunk = { samples: samples.length, request: asked };
  const [analyzed] = await analyzeChunks(await models, samples, [chunk]);
  return analyzed!;
}

const sounds = {
  en: () => speech('The quick brown fox jumps over the lazy dog.'),
  de: () => speechIn('de', 'Ich habe gestern ein neues Auto gekauft.'),
};

for (const [language, sound] of Object.entries(sounds)) {
  test(`${language}: only the letters of words change`, async (t) => {
    const samples = toFloat(await sound());
    const request = { words: true, text: true, language };
    const plain = await analyze(samples, request, []);
    const [first, second] = plain.words.filter(({ word }) => /^\p{L}{5,}$/u.test(word));
    t.truthy(second);
    const mixed = (word: string): string => word.slice(0, 2) + word.slice(2).toUpperCase();
    const terms = [first!, second!].map(({ word }) => mixed(word));
    const own = await analyze(samples, request, terms);
    const changed = plain.words.map((word) => {
      return word === first || word === second ? { ...word, word: mixed(word.word) } : word;
    });
    t.deepEqual(own.words, changed);
    t.is(
      own.written!.text.toLowerCase(),
      plain.written!.text.toLowerCase(),
      'the text that Whisper writes',
    );
    for (const term of terms) t.true(own.written!.text.includes(term), own.written!.text);
    const { redact } = redactionOf({ names: [first!.word] });
    const { words, removed } = redactTurns(
      [{ words: own.words, speaker: 0 }],
      redact!,
      () => language,
    );
    t.is(words[0]!.filter(({ word }) => word.startsWith('[NAME]')).length, 1);
    t.deepEqual(
      removed.map(({ start, end }) => [start, end]),
      [[first!.start, first!.end]],
    );
  });
}

test('a common word is the term where the recogniser says so, and else none', async (t) => {
  const samples = toFloat(await speech('It will be a quick meeting, he told us.'));
  const request = { words: true, text: false, language: 'en' };
  const plain = await analyze(samples, request, []);
  const own = await analyze(samples, request, ['IT', 'Will', 'US']);
  t.deepEqual(own.words, plain.words);
});
