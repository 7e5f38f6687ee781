// `pack-weights.ts MODELS TARGET`: writes the graphs of published bundles with their weights packed
// for the processor that this runs on. A bundle whose files are missing is left out.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from '../../models/bundles/manifest.ts';
import { manifests } from '../../models/bundles/manifests.ts';
import { readModelFile } from '../../models/bundles/store.ts';
import { areMadeUnsigned } from '../../models/onnx/exact-products.ts';
import { publishedGraphs } from '../../models/onnx/graph-session.ts';
import { packWeights } from '../../models/onnx/open-session.ts';

const [models = '', target = ''] = process.argv.slice(2);

/**
 * Graphs that multiply. Not those that convolve, which are the first part of each encoder: their
 * kernels read aligned weights, as those of a file are not.
 */
function graphsOf(manifest: Manifest): readonly string[] {
  switch (manifest.family) {
    case 'moonshine': {
      const { encoder, decoder } = manifest;
      return [...encoder.graphs.slice(1), decoder.graphs.cross, decoder.graphs.step];
    }
    case 'whisper':
      return [...manifest.encoder.graphs.slice(1), ...manifest.decoder.graphs];
    default:
      return [];
  }
}

for (const manifest of manifests) {
  const weightsFolder = join(models, manifest.name);
  if (!manifest.files.every(({ name }) => existsSync(join(weightsFolder, name)))) continue;
  const bits = manifest.family === 'whisper' ? manifest.weightBits : 8;
  const weightsUnsigned = await areMadeUnsigned(bits);
  for (const graph of graphsOf(manifest)) {
    mkdirSync(join(target, manifest.name), { recursive: true });
    const model = await readModelFile(join(publishedGraphs, graph));
    const packed = join(target, manifest.name, graph);
    await packWeights(model, { weightsFolder, weightsUnsigned }, packed);
  }
}
