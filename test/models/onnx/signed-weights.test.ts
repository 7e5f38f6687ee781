// Signed weights: the outputs are the same bits, and the weights are signed.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { openModelStore } from '../../../models/bundles/store.ts';
import { multipliesExactly } from '../../../models/onnx/exact-products.ts';
import { graphFields, graphOf, tensorFields } from '../../../models/onnx/ort-model.ts';
import { elements, findField } from '../../../models/onnx/flatbuffer.ts';
import { createSession } from '../../../models/onnx/session.ts';
import { withSignedWeights } from '../../../models/onnx/signed-weights.ts';
import { float32Tensor, int64Tensor } from '../../../models/onnx/tensor.ts';
import { testServers } from '../../support/environment.ts';

/** Element types of the large initializers. */
function weightTypes(model: Buffer): readonly number[] {
  return elements(model, graphOf(model), graphFields.initializers).flatMap((tensor) => {
    const type = findField(model, tensor, tensorFields.dataType);
    const code = type === null ? 0 : model.readInt32LE(type);
    return [2, 3].includes(code) ? [code] : [];
  });
}

test('the encoder has the same outputs with signed weights', async (t) => {
  const store = openModelStore(testServers().modelsDirectory);
  const { directory } = store.bundle('moonshine-tiny-en', 'moonshine');
  const file = await readFile(join(directory, 'encoder_model.ort'));
  const signed = Buffer.from(withSignedWeights(file));
  t.true(weightTypes(file).every((type) => type === 2));
  t.true(weightTypes(signed).every((type) => type === 3));
  t.is(weightTypes(signed).length, weightTypes(file).length);
  if (!(await multipliesExactly())) return t.log('this processor saturates: not compared');
  const samples = Float32Array.from({ length: 40_000 }, (_, i) => Math.sin(i * i * 1e-6) / 4);
  const feeds = {
    input_values: float32Tensor(samples, [1, samples.length]),
    attention_mask: int64Tensor(new BigInt64Array(samples.length).fill(1n), [1, samples.length]),
  };
  const [before, after] = await Promise.all(
    [file, signed].map(async (model) => (await createSession(model)).run(feeds)),
  );
  t.deepEqual(after!.last_hidden_state!.data, before!.last_hidden_state!.data);
});
