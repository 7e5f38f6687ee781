// Sessions of the graphs in models/graphs, whose weights are files of a bundle.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSession, type Session } from './session.ts';
import { inStages } from './stages.ts';
import { readModelFile } from '../bundles/store.ts';

/**
 * @param graphs one graph, or the parts of one that run in sequence
 * @param files of the bundle's folder that the graphs refer to
 */
export async function createGraphSession(
  graphs: readonly string[],
  directory: string,
  files: readonly string[],
): Promise<Session> {
  const external = await Promise.all(
    files.map(async (name) => ({ path: name, data: await readModelFile(join(directory, name)) })),
  );
  const parts = await Promise.all(
    graphs.map(async (graph) => {
      const graphPath = fileURLToPath(new URL(`../graphs/${graph}`, import.meta.url));
      return createSession(await readModelFile(graphPath), external);
    }),
  );
  return inStages(parts);
}
