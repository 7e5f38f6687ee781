// Sessions of the graphs in models/graphs, whose weights are files of a bundle.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readModelFile, requireModelFile } from '../bundles/store.ts';
import type { WeightBits } from './exact-products.ts';
import { packedGraph, weightsArePacked } from './packed-weights.ts';
import { createPackedSession, createSession, type Session } from './session.ts';
import { orWide, threadsWithSpareCore } from './spare-core.ts';
import { inStages } from './stages.ts';

/** The folder of the graphs that are not a bundle's own. */
export const publishedGraphs = fileURLToPath(new URL('../graphs/', import.meta.url));

interface GraphOptions {
  /** Contains the graphs; those of published bundles by default. */
  readonly graphFolder?: string;
  /**
   * Uses a second thread where a core is spare. Only with packed weights, which such sessions
   * share.
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
  const open = async (graph: string, threads: number): Promise<Session> => {
    const packed = await packedGraph(directory, graph);
    if (packed !== null) return createPackedSession(packed, threads);
    const model = await readModelFile(join(graphFolder, graph));
    return createSession(model, { weightsFolder: directory, weightBits, threads });
  };
  const parts: Session[] = [];
  for (const graph of graphs) {
    const narrow = await open(graph, 1);
    const isWide = widens && weightsArePacked();
    parts.push(isWide ? orWide(narrow, await open(graph, threadsWithSpareCore)) : narrow);
  }
  return inStages(parts);
}
