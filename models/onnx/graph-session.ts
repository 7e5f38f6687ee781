// Sessions of the graphs in models/graphs, whose weights are files of a bundle.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readModelFile, requireModelFile } from '../bundles/store.ts';
import type { WeightBits } from './exact-products.ts';
import { packedGraph } from './packed-weights.ts';
import { createPackedSession, createSession, type Session } from './session.ts';
import { orWide, threadsWithSpareCore } from './spare-core.ts';
import { inStages } from './stages.ts';

/** The folder of the graphs that are not a bundle's own. */
export const publishedGraphs = fileURLToPath(new URL('../graphs/', import.meta.url));

interface GraphOptions {
  /** Contains the graphs; those of published bundles by default. */
  readonly graphFolder?: string;
  /**
   * Uses a second thread where a core is spare; only with packed weights, which both sessions of a
   * graph share.
   */
  readonly widens?: boolean;
  /** 8 by default. */
  readonly weightBits?: WeightBits;
}

/**
 * @param graphs one graph, or the parts of one that run in sequence
 * @param files of the bundle's folder that the graphs refer to
 */
export async function createGraphSession(
  graphs: readonly string[],
  directory: string,
  files: readonly string[],
  { graphFolder = publishedGraphs, widens = false, weightBits = 8 }: GraphOptions = {},
): Promise<Session> {
  await Promise.all(files.map((name) => requireModelFile(join(directory, name))));
  const packed = await Promise.all(graphs.map((graph) => packedGraph(directory, graph)));
  const open = async (i: number, threads: number): Promise<Session> => {
    const path = packed[i]!;
    if (path !== null) return createPackedSession(path, threads);
    const model = await readModelFile(join(graphFolder, graphs[i]!));
    return createSession(model, { weightsFolder: directory, weightBits, threads });
  };
  const isWide = widens && packed.some((path) => path !== null);
  const parts: Session[] = [];
  for (const i of graphs.keys()) {
    const narrow = await open(i, 1);
    parts.push(isWide ? orWide(narrow, await open(i, threadsWithSpareCore)) : narrow);
  }
  return inStages(parts);
}
