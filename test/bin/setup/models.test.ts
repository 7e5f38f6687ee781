// Which bundles set-up pulls.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import type { Manifest } from '../../../models/bundles/manifest.ts';
import { manifests } from '../../../models/bundles/manifests.ts';

type BundlesInUse = (bundles: readonly Manifest[], english?: string) => readonly Manifest[];

// Set-up is plain JavaScript without types, because it runs before TypeScript can.
const module = pathToFileURL(join(import.meta.dirname, '../../../bin/setup/models.mjs')).href;
const { bundlesInUse } = (await import(module)) as { bundlesInUse: BundlesInUse };

test('a bundle that only a setting asks for is pulled where it does', (t) => {
  const pulled = (english?: string) => bundlesInUse(manifests, english).map(({ name }) => name);
  t.false(pulled().includes('moonshine-base-en'));
  t.true(pulled().includes('moonshine-tiny-en'));
  t.deepEqual(pulled('moonshine-base-en').length, manifests.length);
});
