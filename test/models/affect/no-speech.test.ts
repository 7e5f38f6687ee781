// Sounds other than speech, of kinds that are not in the training data, and barely audible speech:
// voice activity detection, the speech check and the classification of segments together.
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import test from 'ava';
import { eachLimited } from '../../../models/concurrency/each-limited.ts';
import { sampleRate } from '../../../models/audio/sample-rate.ts';
import { createInferencePool } from '../../../models/inference/pool.ts';
import { allVersions, isScored, versions } from '../../eval/scored-speech.ts';
import { dataPath, heldOutReaders, readPcm, telephonePrompts } from '../../eval/speech-data.ts';
import { untrainedKinds, untrainedSound } from '../../support/sounds.ts';
import { testServers } from '../../support/environment.ts';

const processes = availableParallelism();
const pool = createInferencePool({ modelsDirectory: testServers().modelsDirectory, processes });

test.before(() => pool.ready());
test.after.always(() => pool.close());

test('sounds of 13 kinds outside the training data have no scores, at three levels', async (t) => {
  const heard = untrainedKinds.flatMap((kind) =>
    Array.from({ length: 16 }, (_, i) => i + 1).flatMap((seed) => {
      const sound = untrainedSound(kind, { seconds: 1 + (seed % 4), seed });
      return [1, 0.1, 0.01].map((gain) => {
        const pcm = Int16Array.from(sound, (value) => Math.round(value * gain * 32_768));
        return { name: `${kind} ${seed} at ${gain}`, pcm };
      });
    }),
  );
  const scored: string[] = [];
  await eachLimited(heard, processes, async ({ name, pcm }) => {
    if (await isScored(pool, pcm)) scored.push(name);
  });
  t.is(untrainedKinds.length, 13);
  t.deepEqual(scored, []);
});

/** Shorter prompts are mostly single words. */
const wordSeconds = 1.5;
const promptsOfEach = 50;

test('of real speech, quiet or noisy, at most one of 200 has no scores', async (t) => {
  if (!existsSync(dataPath('emodb'))) {
    t.log('skipped: SPEECH_DATA_DIR has no recorded speech');
    return t.pass();
  }
  const readers = (await heldOutReaders()).flatMap(({ paths }) => paths.slice(0, 2));
  const prompts = (await telephonePrompts()).map(({ path }) => path);
  const words: string[] = [];
  const sentences: string[] = [];
  for (const path of prompts) {
    if (words.length === promptsOfEach && sentences.length === promptsOfEach) break;
    const isWord = (await readPcm(path)).length < wordSeconds * sampleRate;
    const kept = isWord ? words : sentences;
    if (kept.length < promptsOfEach) kept.push(path);
  }
  const lost: string[] = [];
  let count = 0;
  await eachLimited([...readers, ...sentences, ...words], processes, async (path) => {
    const pcm = await readPcm(path);
    for (const version of allVersions) {
      count += 1;
      if (!(await isScored(pool, versions[version](pcm, 3)))) lost.push(`${version} ${path}`);
    }
  });
  t.true(count >= 150);
  t.true(lost.length <= count / 200, lost.join('\n'));
});
