// The affect models of the worker: thresholds, and the weights of the classifier.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AffectModel } from './select.ts';
import { affectWeightsSchema } from '../bundles/head-weights.ts';
import type { ModelId } from '../contract/catalog.ts';
import { thresholdsOf } from '../bundles/catalog.ts';
import { weightsFolder } from '../bundles/manifests.ts';

const known = new Map<string, AffectModel>();

/** null for a model without labels. The weights are a few kilobytes and are read once. */
export function affectOf(model: ModelId): AffectModel | null {
  const manifest = thresholdsOf(model);
  if (!manifest) return null;
  const { name, weights: file } = manifest;
  const found = known.get(name);
  if (found) return found;
  const text = readFileSync(join(weightsFolder, file), 'utf8');
  const read = { ...manifest, weights: affectWeightsSchema.parse(JSON.parse(text)) };
  known.set(name, read);
  return read;
}
