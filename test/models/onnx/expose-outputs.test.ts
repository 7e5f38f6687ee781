// Further outputs of an ORT model: the first one is unchanged, and the layers are added.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { exposeOutputs } from '../../../models/onnx/expose-outputs.ts';
import { createSession } from '../../../models/onnx/session.ts';
import { openModelStore } from '../../../models/bundles/store.ts';
import { float32Tensor, int64Tensor } from '../../../models/onnx/tensor.ts';
import { testServers } from '../../support/environment.ts';

test('the encoder outputs its layers, and its last one unchanged', async (t) => {
  const store = openModelStore(testServers().modelsDirectory);
  const { directory, manifest } = store.bundle('moonshine-tiny-en', 'moonshine');
  const file = await readFile(join(directory, 'encoder_model.ort'));
  const plain = await createSession(file);
  const grown = await createSession(exposeOutputs(file, manifest.hiddenLayers));
  t.deepEqual([...grown.outputNames], ['last_hidden_state', ...manifest.hiddenLayers]);
  const samples = Float32Array.from({ length: 16_000 }, (_, i) => Math.sin(i * i * 1e-5) / 4);
  const feeds = {
    input_values: float32Tensor(samples, [1, samples.length]),
    attention_mask: int64Tensor(new BigInt64Array(samples.length).fill(1n), [1, samples.length]),
  };
  const [before, after] = [await plain.run(feeds), await grown.run(feeds)];
  t.deepEqual(after.last_hidden_state!.data, before.last_hidden_state!.data);
  for (const name of manifest.hiddenLayers)
    t.deepEqual(after[name]!.dims, after.last_hidden_state!.dims);
});
