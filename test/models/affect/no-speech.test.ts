// Sounds other than speech, of kinds that are not in the training data, and barely audible speech:
// voice activity detection, the speech check and the classification of segments together.
import { existsSync } from 'node:fs';
import test from 'ava';
import { classifySegments } from '../../../models/affect/classify.ts';
import { areFloorLogits } from '../../../models/affect/no-speech.ts';
import type { AffectModel } from '../../../models/affect/select.ts';
import { segmentsToScore } from '../../../models/analysis/speech-segments.ts';
import { affectOf } from '../../../models/affect/affect-model.ts';
import { openModelStore } from '../../../models/bundles/store.ts';
import { analyzeChunks } from '../../../models/inference/analyze-chunks.ts';
import type { ChunkRequest } from '../../../models/inference/jobs.ts';
import { loadModels, type LoadedModels } from '../../../models/inference/loaded-models.ts';
import { hearSpeech } from '../../../models/vad/speech-regions.ts';
import { atSteadyLevel } from '../../../models/vad/steady-level.ts';
import { sampleRate } from '../../../models/audio/sample-rate.ts';
import { toFloat } from '../../../models/audio/waveform.ts';
import { dataPath, heldOutReaders, readPcm, telephonePrompts } from '../../eval/speech-data.ts';
import { createRandom } from '../../support/random.ts';
import { untrainedKinds, untrainedSound } from '../../support/sounds.ts';
import { testServers } from '../../support/environment.ts';

interface Classifiers {
  readonly models: LoadedModels;
  readonly affect: AffectModel;
}

async function loadClassifiers(): Promise<Classifiers> {
  const models = await loadModels(openModelStore(testServers().modelsDirectory));
  return { models, affect: affectOf('svc-resonance')! };
}

/** Whether anything of a recording would be scored. */
async function isScored({ models, affect }: Classifiers, samples: Float32Array): Promise<boolean> {
  const probabilities = await models.voiceActivity.probabilities(atSteadyLevel(samples));
  const { regions, isFaint } = hearSpeech(probabilities);
  const spans = segmentsToScore(regions, probabilities);
  if (spans.length === 0) return false;
  const request: ChunkRequest = {
    ...{ words: false, language: 'en', text: false, head: 'svc-resonance', spans },
    ...(isFaint && { isFaint }),
  };
  const [chunk] = await analyzeChunks(models, samples, [{ samples: samples.length, request }]);
  const read = chunk!.scored.map((span) => ({
    ...span,
    speaker: null,
    readings: [...span.readings],
  }));
  return classifySegments(affect.weights, read).some((logits) => !areFloorLogits(logits));
}

test('sounds of 13 kinds outside the training data have no scores, at three levels', async (t) => {
  const classifiers = await loadClassifiers();
  const scored: string[] = [];
  for (const kind of untrainedKinds) {
    for (let seed = 1; seed <= 16; seed += 1) {
      const sound = untrainedSound(kind, { seconds: 1 + (seed % 4), seed });
      for (const gain of [1, 0.1, 0.01]) {
        const heard = sound.map((value) => Math.round(value * gain * 32_768) / 32_768);
        if (await isScored(classifiers, heard)) scored.push(`${kind} ${seed} at ${gain}`);
      }
    }
  }
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
  const classifiers = await loadClassifiers();
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
  const random = createRandom(3);
  const lost: string[] = [];
  let count = 0;
  for (const path of [...readers, ...sentences, ...words]) {
    const clean = toFloat(await readPcm(path));
    const power = clean.reduce((sum, value) => sum + value * value, 0) / clean.length;
    const peak = clean.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-9);
    const noise = Math.sqrt(12 * power) * 10 ** (-15 / 20);
    const versions = {
      clean,
      // Its loudest sample at -40 dBFS, in steps of 16 bits.
      quiet: clean.map((value) => Math.round(((value * 0.01) / peak) * 32_768) / 32_768),
      noisy: clean.map((value) => value + noise * (random() - 0.5)),
    };
    for (const [name, samples] of Object.entries(versions)) {
      count += 1;
      if (!(await isScored(classifiers, samples))) lost.push(`${name} ${path}`);
    }
  }
  t.true(count >= 150);
  t.true(lost.length <= count / 200, lost.join('\n'));
});
