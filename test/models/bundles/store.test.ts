// Every bundle matches its manifest, byte by byte; every weight of the tree has a model card.
import { access } from 'node:fs/promises';
import test from 'ava';
import { openModelStore } from '../../../models/bundles/store.ts';
import { testServers } from '../../support/environment.ts';

const root = new URL('../../../', import.meta.url);

test('each file has the size and the sha256 of its manifest', async (t) => {
  const store = openModelStore(testServers().modelsDirectory);
  const bundles = await store.verify({ hash: true });
  t.deepEqual(
    bundles.filter(({ problem }) => problem !== null),
    [],
  );
});

test('what was trained here has a model card', async (t) => {
  const { manifests } = openModelStore(testServers().modelsDirectory);
  for (const { source } of manifests) {
    if (source.kind === 'project') await t.notThrowsAsync(access(new URL(source.card, root)));
  }
});
