// Real models share the core between the runs of their sessions: tested by order, not by wall time.
import test from 'ava';
import { toFloat } from '../../../models/audio/waveform.ts';
import { createCoreScheduler } from '../../../models/fairness/core-scheduler.ts';
import { analyzeChunks } from '../../../models/inference/analyze-chunks.ts';
import type { ChunkRequest } from '../../../models/inference/jobs.ts';
import { loadModels } from '../../../models/inference/loaded-models.ts';
import { openModelStore } from '../../../models/bundles/store.ts';
import { withYieldPoints } from '../../../models/onnx/yield-points.ts';
import { testServers } from '../../support/environment.ts';
import { speech } from '../../support/speech.ts';

const sentences =
  'The committee will decide on the budget of the new library before the summer. ' +
  'Nobody has told the driver where the parcel is, so he went home.';

test('a short clip waits for one run at most beside long work of another', async (t) => {
  const models = await loadModels(openModelStore(testServers().modelsDirectory));
  const turns = createCoreScheduler({
    sliceMs: 100,
    shortJobMs: 300,
    now: () => performance.now(),
  });
  const runs: string[] = [];
  const perform = (
    name: string,
    costMs: number,
    body: () => Promise<unknown>,
  ): Promise<unknown> => {
    const turn = turns.open({ organizationId: name, priority: 1, costMs });
    const takeTurn = async (): Promise<void> => {
      await turn.yieldCore();
      runs.push(name);
    };
    return withYieldPoints(takeTurn, body).finally(() => turn.end());
  };
  const long = toFloat(await speech(sentences)).subarray(0, 10 * 16_000);
  const clip = toFloat(await speech('Please hold.')).subarray(0, 32_000);
  const windows = Array.from({ length: 12 }, (_, i) => i * 8_000);
  const text = { words: true, language: 'en', text: true, head: null, spans: [] } as const;
  const words = { words: true, language: 'en', text: false, head: null, spans: [] } as const;
  const analyze = (pcm: Float32Array, request: ChunkRequest) =>
    analyzeChunks(models, pcm, [{ samples: pcm.length, request }]);

  let over = false;
  const hoarded = perform('hoarder', 1_000, async () => {
    await analyze(long, text);
    await models.diarization!.speakers.embed(long, windows);
  }).finally(() => (over = true));
  for (const begun of [3, 10, 20]) {
    while (!over && runs.filter((name) => name === 'hoarder').length < begun) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    t.false(over, 'the long job ended too soon');
    const before = runs.length;
    const name = `clip ${begun}`;
    await perform(name, 40, () => analyze(clip, words));
    const waited = runs.slice(before).indexOf(name);
    t.true(waited >= 0 && waited <= 1, `${name} waited for ${waited} runs`);
  }
  await hoarded;
  t.is(runs.at(-1), 'hoarder');
});
