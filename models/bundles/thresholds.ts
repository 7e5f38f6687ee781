// When a public model selects a label, from the manifest of its head.
import type { Thresholds } from '../affect/select.ts';
import { openModelStore } from './store.ts';

/** @returns a function from a model id to its thresholds, null where it has no labels */
export async function readThresholds(
  modelsDirectory: string,
): Promise<(model: string) => Thresholds | null> {
  const store = await openModelStore(modelsDirectory);
  const byModel = new Map(
    Object.entries(store.assignments).flatMap(([model, { head }]) => {
      const found = store.manifests.find(({ name }) => name === head);
      return found?.family === 'affect-head' ? [[model, found] as const] : [];
    }),
  );
  return (model) => byModel.get(model) ?? null;
}
