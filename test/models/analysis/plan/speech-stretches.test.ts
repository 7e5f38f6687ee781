// Stretches of people's speech; training/tests/test_speech_stretches.py has the same values.
import { existsSync, readFileSync } from 'node:fs';
import test from 'ava';
import { planWindows } from '../../../../models/analysis/plan-windows.ts';
import { speechProbabilities } from '../../../../models/analysis/voice-activity.ts';
import { sampleRate } from '../../../../models/audio/sample-rate.ts';
import { joinSamples } from '../../../../models/audio/samples.ts';
import { modelRow, syntheticModel } from '../../../../models/contract/served-models.ts';
import { createInferencePool } from '../../../../models/inference/pool.ts';
import { dataPath, readPcm } from '../../../eval/speech-data.ts';
import { testServers } from '../../../support/environment.ts';

/** Part of a recording among zeros. */
interface Recorded {
  readonly path: string;
  /** The first, and the one behind the last. */
  readonly samples: readonly [number, number];
  /** How many are before and behind them. */
  readonly zeros: readonly [number, number];
  /** Of each the first sample, the one behind the last, and how many more are pooled on a side. */
  readonly stretches: readonly (readonly [number, number, number])[];
}

const job = { organizationId: 'org', priority: 1 } as const;
const paddingSamples = sampleRate / 2;
const pool = createInferencePool({ ...testServers(), processes: 1 });
test.after.always(() => pool.close());
const stored = JSON.parse(
  readFileSync(new URL('speech-stretches.json', import.meta.url), 'utf8'),
) as readonly Recorded[];

for (const { path, samples, zeros, stretches } of stored) {
  test(`the head is trained on the stretches that are scored: ${path}`, async (t) => {
    if (!existsSync(dataPath(path))) {
      t.log('skipped: SPEECH_DATA_DIR has no recorded speech');
      return t.pass();
    }
    const recorded = (await readPcm(dataPath(path))).subarray(...samples);
    const [before, behind] = zeros.map((count) => new Int16Array(count));
    t.deepEqual(await stretchesIn(joinSamples([before!, recorded, behind!])), stretches);
  });
}

async function stretchesIn(pcm: Int16Array): Promise<Recorded['stretches']> {
  const audio = { samples: pcm.length, sourceSamples: pcm.length, sourceRate: sampleRate };
  const probabilities = [await speechProbabilities(pool, pcm, job)];
  const windows = modelRow(syntheticModel).window!;
  const { chunks } = await planWindows(pool, { audio, pcm, probabilities }, { windows, job });
  return chunks.map(({ startSample, endSample, silence, stretch }) => {
    const start = startSample - (silence?.beforeSamples ?? 0) + paddingSamples;
    const end = endSample + (silence?.afterSamples ?? 0) - paddingSamples;
    const pooled = (stretch!.end - stretch!.start) * sampleRate;
    return [start, end, Math.round(pooled - (end - start)) / 2] as const;
  });
}
