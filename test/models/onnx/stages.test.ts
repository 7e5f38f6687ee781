// A graph in stages has the outputs of the whole one, bit for bit, and yields the core in between.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { loadMoonshineEncoder, lastLayer } from '../../../models/asr/moonshine-encoder.ts';
import { exposeOutputs } from '../../../models/onnx/expose-outputs.ts';
import { createSession } from '../../../models/onnx/session.ts';
import { splitOrtModel } from '../../../models/onnx/split-ort-model.ts';
import { openModelStore } from '../../../models/bundles/store.ts';
import { float32Tensor, int64Tensor } from '../../../models/onnx/tensor.ts';
import { withYieldPoints } from '../../../models/onnx/yield-points.ts';
import { testServers } from '../../support/environment.ts';

async function moonshine() {
  const store = openModelStore(testServers().modelsDirectory);
  const { directory, manifest } = store.bundle('moonshine-tiny-en', 'moonshine');
  return { directory, manifest, file: await readFile(join(directory, 'encoder_model.ort')) };
}

test('every layer of the encoder is the same in stages, for short and long clips', async (t) => {
  const { directory, manifest, file } = await moonshine();
  const whole = await createSession(exposeOutputs(file, manifest.hiddenLayers));
  const parts = await loadMoonshineEncoder(directory, manifest);
  for (const length of [16_000, 52_345, 200_001]) {
    const samples = Float32Array.from({ length }, (_, i) => Math.sin(i * i * 1e-6) / 4);
    const expected = await whole.run({
      input_values: float32Tensor(samples, [1, length]),
      attention_mask: int64Tensor(new BigInt64Array(length).fill(1n), [1, length]),
    });
    const { layers } = await parts.encode(samples);
    t.deepEqual(Object.keys(layers), [...manifest.hiddenLayers, lastLayer]);
    for (const [name, { data }] of Object.entries(layers)) {
      t.true(Buffer.from(bytesOf(data)).equals(bytesOf(expected[name]!.data)), name);
    }
  }
});

test('others may have the core between the stages', async (t) => {
  const { directory, manifest } = await moonshine();
  const encoder = await loadMoonshineEncoder(directory, manifest);
  let turns = 0;
  await withYieldPoints(
    async () => void (turns += 1),
    () => encoder.encode(new Float32Array(16_000)),
  );
  t.is(turns, manifest.hiddenLayers.length + 1);
});

test('each cut ends one stage, the last one the graph; unknown cuts are rejected', async (t) => {
  const { manifest, file } = await moonshine();
  const parts = splitOrtModel(file, manifest.hiddenLayers);
  const sessions = await Promise.all(parts.map((part) => createSession(part)));
  t.deepEqual(sessions.at(-1)!.outputNames, ['last_hidden_state']);
  for (const cut of manifest.hiddenLayers) {
    t.is(sessions.filter(({ outputNames }) => outputNames.includes(cut)).length, 1, cut);
  }
  t.throws(() => splitOrtModel(file, ['/nowhere']), { message: /nowhere/ });
});

function bytesOf(data: unknown): Uint8Array {
  const { buffer, byteOffset, byteLength } = data as Float32Array;
  return new Uint8Array(buffer, byteOffset, byteLength);
}
