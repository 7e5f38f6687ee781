// Bundles that an operator has converted: each folder of the models directory with a manifest.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestSchema, type Manifest } from './manifest.ts';
import { manifests, ModelLoadingError } from './manifests.ts';

/** In the folder of the bundle. */
export const manifestFile = 'manifest.json';

/**
 * The manifests of the repository and of what is installed besides.
 * @throws ModelLoadingError for a manifest that cannot be read
 */
export function readManifests(modelsDirectory: string): readonly Manifest[] {
  if (!existsSync(modelsDirectory)) return manifests;
  const own = readdirSync(modelsDirectory)
    .filter((name) => !name.startsWith('.') && !manifests.some((known) => known.name === name))
    .map((name) => join(modelsDirectory, name, manifestFile))
    .filter((path) => existsSync(path))
    .toSorted()
    .map(readManifest);
  return [...manifests, ...own];
}

function readManifest(path: string): Manifest {
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    throw new ModelLoadingError(`${path} is not a manifest; pull the bundle again`, { cause });
  }
}
