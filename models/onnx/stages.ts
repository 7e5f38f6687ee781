// One long computation as several sessions in sequence, so that other jobs can have the core in
// between.
import type { Session, Tensors } from './session.ts';

/**
 * Returns one session that runs the parts in order; the outputs of a part are available to those
 * after it.
 */
export function inStages(parts: readonly Session[]): Session {
  if (parts.length === 1) return parts[0]!;
  const made = new Set(parts.flatMap(({ outputNames }) => outputNames));
  const read = new Set(parts.flatMap(({ inputNames }) => inputNames));
  const inputNames = [...read].filter((name) => !made.has(name));
  const outputNames = [...made].filter((name) => !read.has(name));
  return {
    inputNames,
    outputNames,
    run: async (feeds, fetches = outputNames) => {
      const values: Record<string, Tensors[string]> = { ...feeds };
      for (const [i, part] of parts.entries()) {
        const wanted = new Set([...fetches, ...parts.slice(i + 1).flatMap((p) => p.inputNames)]);
        const given = part.inputNames.map((name) => [name, values[name]!] as const);
        const fetched = part.outputNames.filter((name) => wanted.has(name));
        if (fetched.length === 0) continue;
        Object.assign(values, await part.run(Object.fromEntries(given), fetched));
      }
      return Object.fromEntries(fetches.map((name) => [name, values[name]!]));
    },
  };
}
