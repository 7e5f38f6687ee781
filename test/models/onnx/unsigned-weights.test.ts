// Every graph opens where ONNX Runtime makes its weights unsigned, which only processors with AVX2
// but neither VNNI nor AMX ask for: an initializer that two products share is made so twice.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { manifests } from '../../../models/bundles/manifests.ts';
import { readModelFile } from '../../../models/bundles/store.ts';
import { publishedGraphs } from '../../../models/onnx/graph-session.ts';
import { openSession } from '../../../models/onnx/open-session.ts';
import { testServers } from '../../support/environment.ts';

const { modelsDirectory } = testServers();
/** Opened in its own test, without a bundle. */
const probe = 'product-probe.onnx';

/** A bundle that has the weights of the graph. */
function ownerOf(graph: string): string | undefined {
  return manifests.find((manifest) => JSON.stringify(manifest).includes(`"${graph}"`))?.name;
}

test('every graph of a bundle opens with unsigned weights', async (t) => {
  const graphs = readdirSync(publishedGraphs).filter((name) => name.endsWith('.onnx'));
  const alone = graphs.filter((graph) => ownerOf(graph) === undefined);
  t.deepEqual(alone, [probe], 'every other graph belongs to a bundle');
  for (const graph of graphs) {
    const bundle = ownerOf(graph);
    if (bundle === undefined) continue;
    const model = await readModelFile(join(publishedGraphs, graph));
    const weightsFolder = join(modelsDirectory, bundle);
    const session = await openSession(model, { weightsFolder, weightsUnsigned: true });
    t.true(session.outputNames.length > 0, graph);
    await session.release();
  }
});
