// Weights of graphs are mapped from their file, and sessions of a scope are released together.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { ModelLoadingError } from '../../../models/bundles/manifests.ts';
import { openModelStore } from '../../../models/bundles/store.ts';
import { createGraphSession } from '../../../models/onnx/graph-session.ts';
import { openScoped } from '../../../models/onnx/session-scope.ts';
import { testServers } from '../../support/environment.ts';

const { directory, manifest } = openModelStore(testServers().modelsDirectory).bundle(
  'moonshine-tiny-en',
  'moonshine',
);
const { graphs, weights } = manifest.decoder;
const openStep = () => createGraphSession([graphs.step], directory, [weights]);

/** Lines of /proc/self/maps that map the file; null where there is no such file system. */
function mappingsOf(path: string): readonly string[] | null {
  if (process.platform !== 'linux') return null;
  const maps = readFileSync('/proc/self/maps', 'utf8');
  return maps.split('\n').filter((line) => line.endsWith(path));
}

test.serial('weights that no kernel packs stay in the file until their scope ends', async (t) => {
  const path = join(directory, weights);
  const before = mappingsOf(path);
  if (before === null) return t.log('not Linux: not looked at');
  const { value, release } = await openScoped(openStep);
  t.true(mappingsOf(path)!.length > before.length);
  t.true(value.outputNames.includes('next'));
  await release();
  t.is(mappingsOf(path)!.length, before.length);
});

test.serial('a scope that fails releases what it had opened', async (t) => {
  const path = join(directory, weights);
  const before = mappingsOf(path);
  if (before === null) return t.log('not Linux: not looked at');
  const failed = openScoped(async () => {
    await openStep();
    throw new Error('the next file is missing');
  });
  await t.throwsAsync(failed, { message: 'the next file is missing' });
  t.is(mappingsOf(path)!.length, before.length);
});

test.serial('a missing file of weights is named', async (t) => {
  const opened = createGraphSession([graphs.step], directory, ['absent.ort']);
  await t.throwsAsync(opened, { instanceOf: ModelLoadingError, message: /absent\.ort/ });
});
