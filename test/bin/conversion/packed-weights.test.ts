// Weights packed for this processor: what a bundle reads with them, and what proves it.
import { execFile } from 'node:child_process';
import { mkdtemp, open, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { openModelStore } from '../../../models/bundles/store.ts';
import { createGraphSession } from '../../../models/onnx/graph-session.ts';
import { usePackedWeights } from '../../../models/onnx/packed-weights.ts';
import { float32Output, float32Tensor } from '../../../models/onnx/tensor.ts';
import { testServers } from '../../support/environment.ts';

const run = promisify(execFile);
const scripts = join(import.meta.dirname, '../../../bin/conversion');
const { modelsDirectory } = testServers();
const bundle = 'moonshine-tiny-en';
const { directory, manifest } = openModelStore(modelsDirectory).bundle(bundle, 'moonshine');
const { graphs, weights } = manifest.decoder;

test.serial('packed weights change no number, and damaged ones are found', async (t) => {
  const packed = await mkdtemp(join(tmpdir(), 'svc-test-'));
  t.teardown(() => rm(packed, { recursive: true }));
  t.teardown(() => usePackedWeights(null));
  await run(process.execPath, [join(scripts, 'pack-weights.ts'), modelsDirectory, packed]);
  const names = await readdir(join(packed, bundle));
  // The first part of the encoder convolves.
  t.false(names.includes(manifest.encoder.graphs[0]!));
  const written = [...manifest.encoder.graphs.slice(1), graphs.cross, graphs.step];
  t.deepEqual(
    names.filter((name) => name.endsWith('.onnx')),
    written.toSorted(),
  );
  const prove = join(scripts, 'prove-packed.ts');
  await run(process.execPath, [prove, modelsDirectory, packed, bundle]);

  const frames = 40;
  const states = new Float32Array(frames * manifest.hiddenSize).map((_, i) => Math.sin(i));
  const keys = async (): Promise<Float32Array> => {
    const session = await createGraphSession([graphs.cross], directory, [weights]);
    const given = float32Tensor(states, [1, frames, manifest.hiddenSize]);
    return float32Output(await session.run({ states: given }), 'cross.0.key', [1, -1, -1, -1]).data;
  };
  const own = await keys();
  usePackedWeights(packed);
  t.deepEqual(await keys(), own);

  await damage(join(packed, bundle, `${graphs.cross}.weights`));
  t.notDeepEqual(await keys(), own, 'the packed weights are those that are read');
  await t.throwsAsync(run(process.execPath, [prove, modelsDirectory, packed, bundle]), {
    message: /moonshine-tiny-en reads otherwise with packed weights/,
  });
});

/** Overwrites a file: where in it the weights are that are read differs by processor. */
async function damage(path: string): Promise<void> {
  const { size } = await stat(path);
  const file = await open(path, 'r+');
  await file.write(Buffer.alloc(size, 1), 0, size, 0);
  await file.close();
}
