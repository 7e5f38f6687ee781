// Where a chunk sounds like English, for one that is recognised in another language.
import test from 'ava';
import { toFloat } from '../../../models/audio/waveform.ts';
import { openModelStore } from '../../../models/bundles/store.ts';
import { analyzeChunks } from '../../../models/inference/analyze-chunks.ts';
import { loadModels } from '../../../models/inference/loaded-models.ts';
import { testServers } from '../../support/environment.ts';
import { speech } from '../../support/speech.ts';

test('where a chunk sounds like English is said without a word', async (t) => {
  const models = await loadModels(openModelStore(testServers().modelsDirectory));
  const never = (): never => t.fail('words are decoded') as never;
  const recognizer = { ...models.recognizer, decoder: { decode: never } };
  const hold = toFloat(await speech('Please hold the line.'));
  const request = { words: false, language: null, text: false, head: null, spans: [] } as const;
  const hear = async (own: object) => {
    const chunks = [{ samples: hold.length, request: { ...request, ...own } }];
    return (await analyzeChunks({ ...models, recognizer }, hold, chunks))[0]!;
  };
  const heard = await hear({ englishParts: true });
  t.true(heard.englishParts!.most > 1);
  t.true(heard.english! > 1);
  t.deepEqual([heard.words, heard.language, heard.languages], [[], null, null]);
  t.is((await hear({})).englishParts, undefined);
});
