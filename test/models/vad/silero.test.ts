// Voice activity in graphs of our own gives what the published graph gives.
import { join } from 'node:path';
import test from 'ava';
import * as ort from 'onnxruntime-node';
import { openModelStore } from '../../../models/bundles/store.ts';
import { toFloat } from '../../../models/audio/waveform.ts';
import { loadSilero } from '../../../models/vad/silero.ts';
import { testServers } from '../../support/environment.ts';
import { silence, speech } from '../../support/speech.ts';
import { joinSamples } from '../../../models/audio/samples.ts';

const published = { hop: 512, context: 64, state: 128 };
/** Both sum in single precision, in orders of their own. */
const tolerance = 1e-4;

test('the probabilities are those of the published graph, in parts and at the edges', async (t) => {
  const store = openModelStore(testServers().modelsDirectory);
  const { directory, manifest } = store.bundle('silero-vad', 'silero-vad');
  const model = await loadSilero(directory, manifest);
  const spoken = await speech('I would like to change the address on my account, please.');
  // More hops than are computed at a time, and less than a whole one at the end.
  const dialogue = joinSamples([spoken, silence(1.2), spoken, silence(0.4), spoken, spoken]);
  for (const length of [dialogue.length, 256 * 512, 512, 300, 1]) {
    const samples = toFloat(dialogue.subarray(0, length));
    const found = await model.probabilities(samples);
    const expected = await publishedProbabilities(join(directory, manifest.weights), samples);
    t.is(found.length, expected.length);
    t.true(expected.every((value, hop) => Math.abs(value - found[hop]!) < tolerance));
  }
  t.is((await model.probabilities(new Float32Array(0))).length, 0);
});

/** Behind ten seconds of silence. */
async function publishedProbabilities(model: string, spoken: Float32Array): Promise<number[]> {
  const { hop, context, state } = published;
  const restHops = 312;
  const samples = new Float32Array(restHops * hop + spoken.length);
  samples.set(spoken, restHops * hop);
  const session = await ort.InferenceSession.create(model, { intraOpNumThreads: 1 });
  const hops = Math.ceil(samples.length / hop);
  const input = new Float32Array(hops * (context + hop));
  for (let i = 0; i < hops; i += 1) {
    const first = i * hop - context;
    const from = Math.max(0, first);
    const own = samples.subarray(from, (i + 1) * hop);
    input.set(own, i * (context + hop) + from - first);
  }
  const zeros = () => new ort.Tensor('float32', new Float32Array(state), [1, 1, state]);
  const outputs = await session.run({
    input: new ort.Tensor('float32', input, [hops, context + hop]),
    h: zeros(),
    c: zeros(),
  });
  return Array.from(outputs.speech_probs!.data as Float32Array).slice(restHops);
}
