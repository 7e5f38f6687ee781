// A short stream is heard, cut and scored as a file of the same samples.
import test from 'ava';
import { affectOf } from '../../../models/affect/affect-model.ts';
import { createIncrementalAnalysis } from '../../../models/analysis/incremental-analysis.ts';
import { resultOf } from '../../../models/analysis/result/result-of.ts';
import { joinSamples } from '../../../models/audio/samples.ts';
import type { RecordingRequest } from '../../../models/contract/recording-request.ts';
import { createInferencePool } from '../../../models/inference/pool.ts';
import { analyzeSamples } from '../../support/analyze-samples.ts';
import { testServers } from '../../support/environment.ts';
import { settled } from '../../support/scripted-pool.ts';
import { silence, speech } from '../../support/speech.ts';

const frameSamples = 1_600;
const job = { organizationId: 'org_a', priority: 1 } as const;

test('a stream of up to twelve seconds has the result of the file, at any level', async (t) => {
  const { modelsDirectory } = testServers();
  const pool = createInferencePool({ modelsDirectory, processes: 1 });
  t.teardown(() => pool.close());
  await pool.ready();
  const sentences = ['Could I have the number of my order?', 'Thanks, it arrived on Monday.'];
  const [first, second] = await Promise.all(sentences.map((text) => speech(text)));
  const loud = joinSamples([silence(0.7), first!, silence(1.1), second!, silence(0.4)]);
  for (const [model, task] of [
    ['svc-spectra-2', 'analysis'],
    ['svc-svceet', 'transcription'],
  ] as const) {
    for (const gain of [1, 0.3, 0.05]) {
      const pcm = loud.map((value) => Math.round(gain * value));
      const options = { diarize: false, numSpeakers: null, includeLogits: true };
      const request: RecordingRequest = { task, model, options };
      const affect = affectOf(model);
      const analyzed = await analyzeSamples(pool, { request, pcm }, job);
      const file = await resultOf(pool, analyzed, { affect, transcript: null });
      const stream = createIncrementalAnalysis({ pool, organizationId: 'org_a', request, affect });
      for (let at = 0; at < pcm.length; at += frameSamples) {
        stream.record(new Uint8Array(pcm.slice(at, at + frameSamples).buffer));
        await settled();
      }
      const { inferenceMs, ...result } = await stream.finish();
      t.true(inferenceMs > 0);
      t.deepEqual({ ...result, inferenceMs: file.inferenceMs }, file, `${model} at ${gain}`);
    }
  }
});
