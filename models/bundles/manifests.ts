// The manifests of the repository, read and validated once.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { manifestSchema, type Manifest } from './manifest.ts';

/** A model file is missing or differs from the one in the manifest. */
export class ModelLoadingError extends Error {
  override readonly name = 'ModelLoadingError';
}

/** The folder of the bundles that were trained here. */
export const weightsFolder = fileURLToPath(new URL('../weights/', import.meta.url));

const folder = new URL('manifests/', import.meta.url);

/** In the order of their file names. */
export const manifests: readonly Manifest[] = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .toSorted()
  .map((name) => manifestSchema.parse(JSON.parse(readFileSync(new URL(name, folder), 'utf8'))));

/**
 * @param among the repository's, or those of a store as well
 * @throws ModelLoadingError where there is no bundle of that name
 */
export function findManifest(name: string, among: readonly Manifest[] = manifests): Manifest {
  const manifest = among.find((candidate) => candidate.name === name);
  if (manifest) return manifest;
  const names = among.map((each) => each.name).join(', ');
  throw new ModelLoadingError(`there is no bundle ${name}; there are ${names}`);
}

/** @throws ModelLoadingError where there is none, or one of another family */
export function manifestOf<F extends Manifest['family']>(
  name: string,
  family: F,
  among: readonly Manifest[] = manifests,
): Extract<Manifest, { family: F }> {
  const manifest = findManifest(name, among);
  if (manifest.family !== family) {
    throw new ModelLoadingError(`bundle ${name} is ${manifest.family}, not ${family}`);
  }
  return manifest as Extract<Manifest, { family: F }>;
}
