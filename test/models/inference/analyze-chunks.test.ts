// One pass of each encoder serves all outputs, and what is not requested does not run.
import test from 'ava';
import { joinSamples } from '../../../models/audio/samples.ts';
import { toFloat } from '../../../models/audio/waveform.ts';
import { analyzeChunks } from '../../../models/inference/analyze-chunks.ts';
import type { ChunkRecognizer } from '../../../models/inference/chunk-recognizer.ts';
import type { ChunkRequest } from '../../../models/inference/jobs.ts';
import { loadModels, type LoadedModels } from '../../../models/inference/loaded-models.ts';
import { openModelStore } from '../../../models/bundles/store.ts';
import { testServers } from '../../support/environment.ts';
import { noise, speech } from '../../support/speech.ts';

test('scores alone never run the decoder or the aligner; words run each once', async (t) => {
  const loaded = await loadModels(openModelStore(testServers().modelsDirectory));
  const runs = { encoder: 0, words: 0, decoder: 0, aligner: 0 };
  const { recognizer, features } = loaded;
  const counted = {
    ...loaded,
    features: {
      ...features,
      encoder: {
        encode: (samples: Float32Array) => ((runs.encoder += 1), features.encoder.encode(samples)),
      },
    },
    recognizer: {
      ...recognizer,
      encoder: {
        encode: (samples: Float32Array) => ((runs.words += 1), recognizer.encoder.encode(samples)),
      },
      decoder: {
        decode: (...args: Parameters<typeof recognizer.decoder.decode>) => (
          (runs.decoder += 1),
          recognizer.decoder.decode(...args)
        ),
      },
      phoneScorer: {
        ...recognizer.phoneScorer,
        score: (...args: Parameters<typeof recognizer.phoneScorer.score>) => (
          (runs.aligner += 1),
          recognizer.phoneScorer.score(...args)
        ),
      },
    },
  };
  const samples = toFloat(await speech('I am calling about the invoice of last month.'));
  const spans = [{ start: 0, end: samples.length / 16_000 }];
  const head = 'svc-resonance';
  const analyze = async (request: ChunkRequest, models: LoadedModels = counted) =>
    (await analyzeChunks(models, samples, [{ samples: samples.length, request }]))[0]!;
  const scores = await analyze({ words: false, language: 'en', text: false, head, spans });
  t.deepEqual(runs, { encoder: 1, words: 0, decoder: 0, aligner: 0 });
  t.is(scores.scored.length, 1);
  t.deepEqual(scores.words, []);
  const all = await analyze({ words: true, language: 'en', text: false, head, spans });
  t.deepEqual(runs, { encoder: 2, words: 1, decoder: 1, aligner: 1 });
  t.true(all.words.length >= 7);
  t.true(all.scored.length >= 1);
  const words = await analyze({ words: true, language: 'en', text: false, head: null, spans });
  t.deepEqual(runs, { encoder: 2, words: 2, decoder: 2, aligner: 2 });
  t.deepEqual(words.words, all.words);
  const { encoder } = counted.features;
  const shared = { ...counted, recognizer: { ...counted.recognizer, encoder } };
  const same = await analyze({ words: true, language: 'en', text: false, head, spans }, shared);
  t.deepEqual(runs, { encoder: 3, words: 2, decoder: 3, aligner: 3 });
  t.deepEqual(same, all);
});

test('words of another recogniser get their times from its own encoder', async (t) => {
  const store = openModelStore(testServers().modelsDirectory);
  const models = await loadModels(store, 'moonshine-base-en');
  t.not(models.recognizer.encoder, models.features.encoder);
  const samples = toFloat(await speech('Please hold the line.'));
  const request = { words: true, language: 'en', text: false, head: null, spans: [] };
  const chunks = [{ samples: samples.length, request }];
  const encode = (): never => t.fail('the encoder of the heads runs') as never;
  const features = { ...models.features, encoder: { encode } };
  const [{ words } = { words: [] }] = await analyzeChunks({ ...models, features }, samples, chunks);
  t.regex(words.map(({ word }) => word).join(' '), /please hold the line/i);
  for (const [i, { start, end }] of words.entries()) {
    t.true(start < end && start >= (words[i - 1]?.start ?? 0), `${i} ${start} ${end}`);
  }
});

test('chunks of one job are returned in order, each with what it requested', async (t) => {
  const models = await loadModels(openModelStore(testServers().modelsDirectory));
  const hold = await speech('Please hold the line.');
  const thanks = await speech('Thank you for calling.');
  const silent = new Int16Array(16_000);
  const pcm = [hold, silent, thanks, hold].map((clip) => toFloat(clip));
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
  t.regex(text[2]!, /thank you for calling/i);
  t.deepEqual([text[1], text[3]], ['', '']);
  t.deepEqual(
    analyses.map(({ scored }) => scored.length),
    [0, 0, 0, 1],
  );
  const [alone] = await analyzeChunks(models, pcm[2]!, [chunks[2]!]);
  t.deepEqual(analyses[2], alone);
});

test('each chunk is recognised in its language: by Moonshine or by Whisper', async (t) => {
  const models = await loadModels(openModelStore(testServers().modelsDirectory));
  const hold = toFloat(await speech('Please hold the line.'));
  const request = { words: true, language: 'en', text: false, head: null, spans: [] };
  const requests = [request, { ...request, language: null }, { ...request, language: 'es' }];
  const pcm = new Float32Array(requests.length * hold.length);
  requests.forEach((_, i) => pcm.set(hold, i * hold.length));
  const chunks = requests.map((own) => ({ samples: hold.length, request: own }));
  const [english, found, spanish] = await analyzeChunks(models, pcm, chunks);
  t.deepEqual([english!.language, english!.languages], ['en', null]);
  t.like(found, { ...english }, 'Whisper does not run on clear English');
  t.true(found!.englishParts!.least > 0);
  t.regex(found!.words.map(({ word }) => word).join(' '), /hold the line/i);
  t.deepEqual([spanish!.language, spanish!.english], ['es', null]);
});

test('where the language alone is asked for, no word is recognised', async (t) => {
  const models = await loadModels(openModelStore(testServers().modelsDirectory));
  const never = (): never => t.fail('words are aligned') as never;
  const recognizer = { ...models.recognizer, phoneScorer: { layers: [], score: never } };
  const languages = { en: 0.3, es: 0.6, fr: 0.1 };
  const transcriber: ChunkRecognizer = {
    recognise: async (chunks) =>
      chunks.map(({ language, detectionOnly }) => {
        t.true(detectionOnly);
        t.is((language as (found: typeof languages) => string | null)(languages), null);
        return { words: [], text: '', language: null, languages };
      }),
  };
  const request = { words: true, language: null, detectionOnly: true, text: false } as const;
  const ask = async (samples: Float32Array) => {
    const chunk = { samples: samples.length, request: { ...request, head: null, spans: [] } };
    return (await analyzeChunks({ ...models, recognizer, transcriber }, samples, [chunk]))[0]!;
  };
  const english = await ask(toFloat(await speech('Please hold the line.')));
  t.like(english, { words: [], language: 'en', languages: null });
  t.true(english.english! > 2);
  const unsure = await ask(toFloat(noise(2)));
  t.deepEqual([unsure.words, unsure.languages], [[], languages]);
});

test('Whisper runs where Moonshine is unsure; the prior of the recording counts', async (t) => {
  const models = await loadModels(openModelStore(testServers().modelsDirectory));
  const decided: string[] = [];
  const transcriber = {
    ...models.transcriber!,
    recognise: async (chunks: Parameters<NonNullable<typeof models.transcriber>['recognise']>[0]) =>
      chunks.map(({ language }) => {
        const languages = { en: 0.3, es: 0.6, fr: 0.1 };
        const chosen = typeof language === 'string' ? language : language(languages);
        decided.push(chosen ?? 'none');
        const words = [{ word: 'hola', start: 0, end: 1, confidence: 0.9 }];
        return { words: chosen ? words : [], text: '', language: chosen, languages };
      }),
  };
  const { odds } = models.recognizer.englishHead;
  const logOdds = () => ({ whole: -3, ofParts: { least: -10, most: 10 } });
  const recognizer = { ...models.recognizer, englishHead: { logOdds, odds } };
  const unsure = toFloat(noise(2));
  const ask = async (prior: Record<string, number>, samples = unsure) => {
    const request = { words: true, language: null, prior, text: false, head: null, spans: [] };
    const chunks = [{ samples: samples.length, request }];
    return (await analyzeChunks({ ...models, transcriber, recognizer }, samples, chunks))[0]!;
  };
  t.like(await ask({}), {
    ...{ language: 'es', languages: { en: 0.3, es: 0.6, fr: 0.1 } },
    englishParts: { least: -10 * odds.sound, most: 10 * odds.sound },
  });
  t.like(await ask({ fr: 4 }), { language: 'fr' });
  t.like(await ask({ en: 2 }), { language: 'en', words: [] });
  t.deepEqual(decided, ['es', 'fr', 'none']);
  const hold = toFloat(await speech('Please hold the line.'));
  const spanish = await ask({ es: 400 }, hold);
  t.is(spanish.language, 'es', 'the prior can outweigh clear English words');
});

test('texts of several chunks are transcribed together, each with its language', async (t) => {
  const models = await loadModels(openModelStore(testServers().modelsDirectory));
  const batches: number[] = [];
  const transcriber = {
    ...models.transcriber!,
    recognise: (...[chunks, options]: Parameters<ChunkRecognizer['recognise']>) => {
      batches.push(chunks.length);
      return models.transcriber!.recognise(chunks, options);
    },
  };
  const clips = [await speech('Please hold the line.'), new Int16Array(16_000)];
  const request = { words: false, language: 'en', text: true, head: null, spans: [] };
  const chunks = clips.map((clip) => ({ samples: clip.length, request }));
  const pcm = toFloat(joinSamples([...clips, clips[0]!]));
  const scores = { samples: clips[0]!.length, request: { ...request, text: false } };
  const analyses = await analyzeChunks({ ...models, transcriber }, pcm, [...chunks, scores]);
  t.deepEqual(batches, [2]);
  t.regex(analyses[0]!.written!.text, /hold the line/i);
  t.is(analyses[0]!.written!.language, 'en');
  t.is(analyses[1]!.written!.text, '');
  t.is(analyses[2]!.written, null);
});

test('what is assigned to a model recognises in place of the others', async (t) => {
  const models = await loadModels(openModelStore(testServers().modelsDirectory));
  const asked: string[] = [];
  const named = (word: string): ChunkRecognizer => ({
    recognise: async (chunks) =>
      chunks.map(({ language }) => {
        const languages = { en: 0.1, es: 0.9 };
        const chosen = typeof language === 'string' ? language : language(languages);
        asked.push(`${word} ${chosen ?? 'none'}`);
        const words = chosen ? [{ word, start: 0, end: 1, confidence: 0.9 }] : [];
        return { words, text: word, language: chosen, languages };
      }),
  });
  const parts = {
    ...{ recognition: named('english'), otherLanguages: named('other') },
    transcription: named('text'),
  };
  const assigned = new Map([['svc-resonance', parts]]);
  const hold = toFloat(await speech('Please hold the line.'));
  const request = { model: 'svc-resonance', words: true, text: false, head: null, spans: [] };
  const ask = async (own: Partial<ChunkRequest>, used: LoadedModels = { ...models, assigned }) => {
    const chunk = { samples: hold.length, request: { ...request, language: null, ...own } };
    const [{ words, language, written } = t.fail() as never] = await analyzeChunks(used, hold, [
      chunk,
    ]);
    return [words.map(({ word }) => word).join(' '), language, written?.text ?? null];
  };
  const never = (): never => t.fail('Moonshine decodes known English') as never;
  const recognizer = { ...models.recognizer, decoder: { decode: never } };
  const withoutMoonshine = { ...models, assigned, recognizer };
  t.deepEqual(await ask({ language: 'en' }, withoutMoonshine), ['english', 'en', null]);
  t.deepEqual(await ask({}), ['english', 'en', null], 'detected as English by Moonshine');
  t.deepEqual(await ask({ language: 'fr' }), ['other', 'fr', null]);
  t.deepEqual(await ask({ words: false, text: true }), ['', null, 'text']);
  const [own] = await ask({ model: 'svc-fourier' });
  t.regex(own!, /hold the line/i, 'another model is as it was');
  t.deepEqual(asked, ['english en', 'english en', 'other fr', 'text es']);
});
