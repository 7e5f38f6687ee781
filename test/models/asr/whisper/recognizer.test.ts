// Whisper on real sound: words of a short and of a full window, and nothing out of nothing.
import test from 'ava';
import type { LanguageProbabilities } from '../../../../models/asr/transcript.ts';
import { likeliestLanguage } from '../../../../models/asr/whisper/language-detection.ts';
import { paddedWindow } from '../../../../models/asr/whisper/padded-window.ts';
import { loadWhisper } from '../../../../models/asr/whisper/recognizer.ts';
import { toFloat } from '../../../../models/audio/waveform.ts';
import { openModelStore } from '../../../../models/bundles/store.ts';
import { testServers } from '../../../support/environment.ts';
import { noise, silence, speech } from '../../../support/speech.ts';

const states = ({ length }: Float32Array): number => paddedWindow(length, 'dense').positions.length;

test('the cost of a clip follows its length; silence around it changes no word', async (t) => {
  const store = openModelStore(testServers().modelsDirectory);
  const { directory, manifest } = store.bundle('whisper-base', 'whisper');
  const whisper = await loadWhisper(directory, manifest);
  const spoken = toFloat(await speech('The quick brown fox jumps? over the lazy dog.'));
  const transcribe = async (samples: Float32Array) => {
    const chunk = { samples, language: likeliestLanguage };
    return (await whisper.recognise([chunk], { words: false }))[0]!;
  };
  const short = await transcribe(spoken);
  t.regex(short.text, /quick brown fox jumps? over the lazy dog/i);
  t.is(short.language, 'en');
  t.is(short.words, null);
  const padded = new Float32Array(30 * 16_000);
  padded.set(spoken, 16_000);
  const long = await transcribe(padded);
  t.regex(long.text, /quick brown fox jumps? over the lazy dog/i);
  t.true(states(spoken) <= states(padded) / 2);
  t.is((await transcribe(toFloat(silence(3)))).text, '');
  t.is((await transcribe(toFloat(noise(3)))).text, '');
});

test('words are in the language that the caller selects; without one there are none', async (t) => {
  const store = openModelStore(testServers().modelsDirectory);
  const { directory, manifest } = store.bundle('whisper-base', 'whisper');
  const whisper = await loadWhisper(directory, manifest);
  const samples = toFloat(await speech('The quick brown fox jumps over the lazy dog.'));
  const detected: LanguageProbabilities[] = [];
  const choose = (answer: string | null) => (probabilities: LanguageProbabilities) => {
    detected.push(probabilities);
    return answer;
  };
  const chunks = ['es', choose('en'), choose(null)].map((language) => ({ samples, language }));
  const [spanish, english, none] = await whisper.recognise(chunks, { words: true });
  t.is(spanish!.language, 'es');
  t.is(english!.language, 'en');
  t.regex(english!.words!.words.map(({ word }) => word).join(' '), /quick brown fox/i);
  t.deepEqual([none!.language, none!.words], [null, null]);
  t.true(spanish!.languages!.en! > 0.5, 'detected although the language is given');
  const sum = Object.values(detected[0]!).reduce((a, b) => a + b, 0);
  t.true(detected[0]!.en! > 0.5 && Math.abs(sum - 1) < 1e-3);
  const unknown = whisper.recognise([{ samples, language: 'xx' }], { words: true });
  await t.throwsAsync(unknown, { instanceOf: RangeError });
});

test('chunks that are decoded together have each the words of the chunk alone', async (t) => {
  const store = openModelStore(testServers().modelsDirectory);
  const { directory, manifest } = store.bundle('whisper-base', 'whisper');
  const whisper = await loadWhisper(directory, manifest);
  const invoice = 'I am calling about the invoice of last month.';
  // Each has other states than the third, beside which they are padded and masked.
  const texts = ['Good morning.', invoice, Array(6).fill(invoice).join(' '), 'Hold the line.'];
  const chunks = await Promise.all(
    texts.map(async (text) => ({ samples: toFloat(await speech(text)), language: 'en' })),
  );
  t.is(new Set(chunks.map(({ samples }) => states(samples))).size, 4);
  const together = await whisper.recognise(chunks, { words: true });
  for (const [i, chunk] of chunks.entries()) {
    t.deepEqual((await whisper.recognise([chunk], { words: true }))[0], together[i]);
  }
});

test('a term that sounds alike is preferred, with its times; others change nothing', async (t) => {
  const store = openModelStore(testServers().modelsDirectory);
  const { directory, manifest } = store.bundle('whisper-base', 'whisper');
  const whisper = await loadWhisper(directory, manifest);
  const samples = toFloat(await speech('Is it gray or green?'));
  const recognise = async (terms: readonly string[]) => {
    const [found] = await whisper.recognise([{ samples, language: 'en', terms }], { words: true });
    return found!;
  };
  const without = await recognise([]);
  t.deepEqual(await recognise(['Xanthippe', 'Kubernetes']), without);
  const given = await recognise(['Xanthippe', 'gray']);
  t.regex(without.text, /grey/);
  t.is(given.text, without.text.replace('grey', 'gray'));
  const { words, attention } = given.words!;
  t.true(words.some(({ word }) => word === 'gray'));
  const tokens = words.reduce((sum, word) => sum + word.tokens, 0);
  t.is(attention.length, tokens + 1);
  t.is(attention[0]!.length, without.words!.attention[0]!.length);
});

test('words by one attempt are those of the text; sounds without speech have none', async (t) => {
  const store = openModelStore(testServers().modelsDirectory);
  const { directory, manifest } = store.bundle('whisper-base-en', 'whisper');
  const whisper = await loadWhisper(directory, manifest);
  const spoken = await Promise.all(
    ['The quick brown fox jumps over the lazy dog.', 'Please call me back tomorrow.'].map((text) =>
      speech(text),
    ),
  );
  const chunks = [...spoken, silence(3), noise(3)].map((pcm) => {
    return { samples: toFloat(pcm), language: 'en' };
  });
  const spelled = await whisper.spell(chunks);
  const recognised = await whisper.recognise(chunks, { words: false });
  t.deepEqual(
    spelled.map((words) => (words ?? []).map(({ word }) => word).join(' ')),
    recognised.map(({ text }) => text),
  );
  t.regex(recognised[0]!.text, /brown fox/i);
  t.true(spelled.slice(2).every((words) => words === null || words.length === 0));
});
