// What an installation without settings uses.
import { noAssignments } from '../../models/bundles/assignments.ts';
import type { BundlesInUse } from '../../models/bundles/catalog.ts';
import { defaultEnglishBundle } from '../../models/bundles/english-bundles.ts';
import { manifests } from '../../models/bundles/manifests.ts';

export const defaultBundles: BundlesInUse = {
  ...{ english: defaultEnglishBundle, assignments: noAssignments, manifests },
};
