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

/** Each graph, and a bundle that has its weights. */
function graphsWithBundles(): readonly (readonly [string, string])[] {
  const graphs = readdirSync(publishedGraphs).filter((name) => name.endsWith('.onnx'));
  return graphs.flatMap((graph) => {
    const owner = manifests.find((manifest) => JSON.stringify(manifest).includes(`"${graph}"`));
    return owner ? [[graph, owner.name] as const] : [];
  });
}

test('every graph of a bundle opens with unsigned weights', async (t) => {
  const found = graphsWithBundles();
  const graphs = readdirSync(publishedGraphs).filter((name) => name.endsWith('.onnx'));
  t.deepEqual(
    graphs.filter((graph) => !found.some(([name]) => name === graph)),
    [probe],
    'every other graph belongs to a bundle',
  );
  for (const [graph, bundle] of found) {
    const model = await readModelFile(join(publishedGraphs, graph));
    const weightsFolder = join(modelsDirectory, bundle);
    const session = await openSession(model, { weightsFolder, weightsUnsigned: true });
    t.true(session.outputNames.length > 0, graph);
    await session.release();
  }
});
