// Every bundle matches its manifest, byte by byte; every weight of the tree has a model card.
import { access } from 'node:fs/promises';
import test from 'ava';
import { noAssignments } from '../../../models/bundles/assignments.ts';
import { openModelStore } from '../../../models/bundles/store.ts';
import { testServers } from '../../support/environment.ts';

const root = new URL('../../../', import.meta.url);

test('each file has the size and the sha256 of its manifest', async (t) => {
  const store = openModelStore(testServers().modelsDirectory);
  const bundles = await store.verify({
    ...{ hash: true, english: 'moonshine-base-en', assignments: noAssignments },
  });
  t.deepEqual(
    bundles.filter(({ problem }) => problem !== null),
    [],
  );
});

test('a bundle that no setting names may be absent', async (t) => {
  const nowhere = openModelStore('/nowhere');
  const needed = async (english: string) => {
    const bundles = await nowhere.verify({ hash: false, english, assignments: noAssignments });
    return bundles.find(({ name }) => name === 'moonshine-base-en')!;
  };
  t.like(await needed('moonshine-tiny-en'), { needed: false });
  t.like(await needed('moonshine-base-en'), { needed: true });
  t.truthy((await needed('moonshine-tiny-en')).problem);
});

test('each bundle that is trained here has a model card', async (t) => {
  const { manifests } = openModelStore(testServers().modelsDirectory);
  for (const { source } of manifests) {
    if (source.kind === 'project') await t.notThrowsAsync(access(new URL(source.card, root)));
  }
});
