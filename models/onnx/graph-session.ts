// Sessions of the graphs in models/graphs, whose weights are files of a bundle.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readModelFile, requireModelFile } from '../bundles/store.ts';
import { packedGraph } from './packed-weights.ts';
import { createPackedSession, createSession, type Session } from './session.ts';
import { inStages } from './stages.ts';

/** The folder of the graphs that are not a bundle's own. */
export const publishedGraphs = fileURLToPath(new URL('../graphs/', import.meta.url));

/**
 * @param graphs one graph, or the parts of one that run in sequence
 * @param files of the bundle's folder that the graphs refer to
 * @param graphFolder contains the graphs
 */
export async function createGraphSession(
  graphs: readonly string[],
  directory: string,
  files: readonly string[],
  graphFolder = publishedGraphs,
): Promise<Session> {
  await Promise.all(files.map((name) => requireModelFile(join(directory, name))));
  const parts: Session[] = [];
  for (const graph of graphs) {
    const packed = await packedGraph(directory, graph);
    parts.push(
      packed === null
        ? await createSession(await readModelFile(join(graphFolder, graph)), directory)
        : await createPackedSession(packed),
    );
  }
  return inStages(parts);
}
