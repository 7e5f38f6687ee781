// Sessions of the graphs in models/graphs, whose weights lie in a bundle's files.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSession, type Session } from './session.ts';
import { readModelFile } from './store.ts';

/** @param files of the bundle's folder that the graph points into */
export async function createGraphSession(
  graph: string,
  directory: string,
  files: readonly string[],
): Promise<Session> {
  const graphPath = fileURLToPath(new URL(`../graphs/${graph}`, import.meta.url));
  const external = await Promise.all(
    files.map(async (name) => ({ path: name, data: await readModelFile(join(directory, name)) })),
  );
  return createSession(await readModelFile(graphPath), external);
}
