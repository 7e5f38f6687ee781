// The bundles that can recognise English; an operator chooses one (docs/adr/0035).
import { defaultModel, modelRow } from '../contract/served-models.ts';
import { manifests } from './manifests.ts';

export const englishBundles: readonly string[] = manifests
  .filter(({ family }) => family === 'moonshine')
  .map(({ name }) => name);

export const defaultEnglishBundle = modelRow(defaultModel).parts.recognition;
