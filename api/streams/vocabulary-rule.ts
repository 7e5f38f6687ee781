// Which terms a stream takes, by its subprotocol and by what recognises its model; pure.
import { modelsWithoutVocabulary, type BundlesInUse } from '../../models/bundles/catalog.ts';
import type { ModelId } from '../../models/contract/catalog.ts';
import type { VocabularyRule } from './protocols/vocabulary.ts';

export function vocabularyRule(
  isLive: boolean,
  model: ModelId,
  bundles: BundlesInUse,
): VocabularyRule {
  if (!isLive) return 'unknown';
  return modelsWithoutVocabulary(bundles).has(model) ? 'refused' : 'taken';
}
