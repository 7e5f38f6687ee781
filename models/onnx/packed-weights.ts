// Weights in the order in which this processor's kernels read them, as files that are mapped
// (docs/adr/0068).
import { basename, join } from 'node:path';
import { requireModelFile } from '../bundles/store.ts';

let folder: string | null = null;

/**
 * From here on, graphs of this process have their weights from there.
 * @param directory of `bin/conversion/pack-weights.ts`, made on this machine; null: packed by each
 * session for itself
 */
export function usePackedWeights(directory: string | null): void {
  folder = directory;
}

/** The graph whose weights are packed; null where there is none. */
export async function packedGraph(bundleDirectory: string, graph: string): Promise<string | null> {
  if (folder === null) return null;
  const path = join(folder, basename(bundleDirectory), graph);
  return requireModelFile(path).then(
    () => path,
    () => null,
  );
}
