// Which bundles set-up pulls: those in use, and those whose files are not the manifest's.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import type { Manifest } from '../../../models/bundles/manifest.ts';
import { manifests } from '../../../models/bundles/manifests.ts';

type BundlesInUse = (bundles: readonly Manifest[], english?: string) => readonly Manifest[];

// Set-up is plain JavaScript without types, because it runs before TypeScript can.
const module = pathToFileURL(join(import.meta.dirname, '../../../bin/setup/models.mjs')).href;
const { bundlesInUse, isPulled } = (await import(module)) as {
  bundlesInUse: BundlesInUse;
  isPulled: (bundle: object, directory: string) => boolean;
};

test('a bundle that only a setting asks for is pulled where it does', (t) => {
  const pulled = (english?: string) => bundlesInUse(manifests, english).map(({ name }) => name);
  t.false(pulled().includes('moonshine-base-en'));
  t.true(pulled().includes('moonshine-tiny-en'));
  t.deepEqual(pulled('moonshine-base-en').length, manifests.length);
});

test('a file of the right length with other contents is pulled again', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-models-'));
  t.teardown(() => rmSync(directory, { recursive: true }));
  const folder = join(directory, 'words');
  mkdirSync(folder);
  const data = Buffer.from('weights');
  const sha256 = createHash('sha256').update(data).digest('hex');
  const bundle = { name: 'words', files: [{ name: 'words.bin', bytes: data.length, sha256 }] };
  t.false(isPulled(bundle, directory));
  writeFileSync(join(folder, 'words.bin'), data);
  t.true(isPulled(bundle, directory));
  writeFileSync(join(folder, 'words.bin'), 'WEIGHTS');
  // What set-up used to leave behind said that the file had once been right.
  writeFileSync(join(folder, '.svc-pulled'), `${sha256} words.bin\n`);
  t.false(isPulled(bundle, directory));
});
