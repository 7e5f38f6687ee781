// Signed weights stay signed where the processor multiplies them exactly.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { openModelStore } from '../../../models/bundles/store.ts';
import { multipliesExactly } from '../../../models/onnx/exact-products.ts';
import { openSession, sessionOptions } from '../../../models/onnx/open-session.ts';
import { float32Tensor } from '../../../models/onnx/tensor.ts';
import { testServers } from '../../support/environment.ts';

const exactInstructions = /^flags.*\b(avx512_vnni|avx_vnni|amx_int8)\b/m;

test('the probe finds what the processor says of itself', async (t) => {
  const facts = process.platform === 'linux' ? readFileSync('/proc/cpuinfo', 'utf8') : '';
  if (!/\bavx2\b/.test(facts)) return t.pass('no AVX2: not compared');
  t.is(await multipliesExactly(), exactInstructions.test(facts));
});

test('where the probe is exact, signed and unsigned weights give the same bits', async (t) => {
  if (!(await multipliesExactly())) return t.pass('this processor saturates: not compared');
  const graph = fileURLToPath(
    new URL('../../../models/graphs/product-probe.onnx', import.meta.url),
  );
  const [unsigned, signed] = await Promise.all(
    [true, false].map((weightsUnsigned) =>
      openSession(graph, { weightsFolder: null, weightsUnsigned }),
    ),
  );
  for (const seed of [1, 2, 3, 4, 5]) {
    const values = Float32Array.from({ length: 64 }, (_, i) => Math.sin(seed * i * i) - 0.3);
    const feeds = { bytes: float32Tensor(values, [1, 64]) };
    const [expected, found] = [await unsigned!.run(feeds), await signed!.run(feeds)];
    t.deepEqual(found.product!.data, expected.product!.data);
  }
});

test('so do the encoders, whose convolutions name some weights twice', async (t) => {
  if (!(await multipliesExactly())) return t.pass('this processor saturates: not compared');
  const store = openModelStore(testServers().modelsDirectory);
  const samples = Float32Array.from({ length: 16_000 }, (_, i) => Math.sin(i * i * 1e-5) / 4);
  for (const name of ['moonshine-tiny-en', 'moonshine-base-en']) {
    const { directory, manifest } = store.bundle(name, 'moonshine');
    const { graphs } = manifest.encoder;
    const graph = readFileSync(
      fileURLToPath(new URL(`../../../models/graphs/${graphs[0]}`, import.meta.url)),
    );
    const [expected, found] = await Promise.all(
      [true, false].map(async (weightsUnsigned) => {
        const session = await openSession(graph, { weightsFolder: directory, weightsUnsigned });
        return session.run({ blocks: float32Tensor(samples, [250, 64]) });
      }),
    );
    for (const [output, { data }] of Object.entries(expected!)) {
      t.deepEqual(found![output]!.data, data, `${name} ${output}`);
    }
  }
});

test('weights are made unsigned only where sums would saturate', (t) => {
  const precision = (weightsUnsigned: boolean): string =>
    sessionOptions({ weightsFolder: null, weightsUnsigned }).extra.session.x64quantprecision;
  t.is(precision(false), '0');
  t.is(precision(true), '1');
});
