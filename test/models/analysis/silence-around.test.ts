// Silence before and behind real speech, on the real models, where clips are scored in windows.
import { existsSync } from 'node:fs';
import test from 'ava';
import fc from 'fast-check';
import { affectOf } from '../../../models/affect/affect-model.ts';
import { scoreWindows } from '../../../models/affect/resonance-2.ts';
import { resultOf } from '../../../models/analysis/result/result-of.ts';
import { joinSamples } from '../../../models/audio/samples.ts';
import { sigmoid } from '../../../models/asr/sigmoid.ts';
import { labelCalibration } from '../../../models/bundles/catalog.ts';
import {
  modelRow,
  resonance2Model,
  syntheticModel,
} from '../../../models/contract/served-models.ts';
import { createInferencePool } from '../../../models/inference/pool.ts';
import { dataPath, readPcm } from '../../eval/speech-data.ts';
import { analyzeSamples } from '../../support/analyze-samples.ts';
import { testServers } from '../../support/environment.ts';
import { noise, silence, speech } from '../../support/speech.ts';

const job = { organizationId: 'org', priority: 1 } as const;
const options = { diarize: false, numSpeakers: null, includeLogits: true };
const { modelsDirectory } = testServers();
const pool = createInferencePool({ modelsDirectory, processes: 1 });
test.after.always(() => pool.close());

/** People: two readers, an actress, an actor. */
const recordings = [
  ['l2-english', 'audio', '034230164.opus'],
  ['l2-english', 'audio', '036360027.opus'],
  ['tess-older-actress', 'angry_jar.ogg'],
  ['emodb', '03a02Nc.flac'],
]
  .map((parts) => dataPath(...parts))
  .filter((path) => existsSync(path));

async function syntheticScore(pcm: Int16Array): Promise<number> {
  const request = { task: 'synthetic_speech', model: syntheticModel, options } as const;
  const analyzed = await analyzeSamples(pool, { request, pcm }, job);
  const { logits } = await resultOf(pool, analyzed, { affect: null, transcript: null });
  return sigmoid(logits![0]!);
}

async function affect(pcm: Int16Array): Promise<ReturnType<typeof scoreWindows>> {
  const request = { task: 'affect', model: resonance2Model, options } as const;
  const analyzed = await analyzeSamples(pool, { request, pcm }, job);
  const affectModel = affectOf(resonance2Model);
  const { segments } = await resultOf(pool, analyzed, { affect: affectModel, transcript: null });
  const windows = segments.flatMap(({ logits }) => (logits ? [logits] : []));
  return scoreWindows(windows, labelCalibration(modelRow(resonance2Model)).content, 'f1');
}

/** One of the recordings, and the seconds before and behind it. */
const seconds = fc.oneof(fc.constant(0), fc.double({ min: 0.5, max: 20, noNaN: true }));
const around = () => fc.tuple(fc.constantFrom(...recordings), seconds, seconds);
const within = (pcm: Int16Array, before: number, behind: number): Int16Array =>
  joinSamples([silence(before), pcm, silence(behind)]);

test('silence around people moves no score of synthetic speech', async (t) => {
  if (recordings.length === 0) {
    t.log('skipped: SPEECH_DATA_DIR has no recorded speech');
    return t.pass();
  }
  const property = fc.asyncProperty(around(), async ([path, before, behind]) => {
    const pcm = await readPcm(path);
    const alone = await syntheticScore(pcm);
    const found = await syntheticScore(within(pcm, before, behind));
    t.true(Math.abs(found - alone) <= 0.05, `${path}: ${alone} ${found}`);
    t.is(found >= 0.5, alone >= 0.5);
  });
  await fc.assert(property, { numRuns: 12 });
});

test('silence around people moves no score of Resonance-2, and no label', async (t) => {
  if (recordings.length === 0) {
    t.log('skipped: SPEECH_DATA_DIR has no recorded speech');
    return t.pass();
  }
  const property = fc.asyncProperty(around(), async ([path, before, behind]) => {
    const pcm = await readPcm(path);
    const alone = await affect(pcm);
    const found = await affect(within(pcm, before, behind));
    for (const [label, score] of Object.entries(alone.scores)) {
      t.true(Math.abs(found.scores[label]! - score) <= 0.05, `${path}: ${label}`);
    }
    const names = ({ labels }: typeof alone): readonly string[] => labels.map((own) => own.label);
    t.deepEqual(names(found), names(alone));
  });
  await fc.assert(property, { numRuns: 12 });
});

test('a synthetic voice is found in silence, in faint noise and between pauses', async (t) => {
  const spoken = await speech('Some people said his uncle was insane. They were slow.', {
    voice: 'kal16',
  });
  const alone = await syntheticScore(spoken);
  t.true(alone >= 0.5);
  for (const pcm of [
    within(spoken, 2, 2),
    within(spoken, 20, 20),
    joinSamples([spoken, silence(4), spoken, silence(4), spoken]),
  ]) {
    const found = await syntheticScore(pcm);
    t.true(Math.abs(found - alone) <= 0.05, `${alone} ${found}`);
  }
  // Of about -60 dBFS; a third of a second of it on each side is scored as well.
  const faint = noise(2, { amplitude: 57 });
  t.true((await syntheticScore(joinSamples([faint, spoken, faint]))) >= 0.5);
});
