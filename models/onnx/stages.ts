// One long computation as several sessions in sequence, so that other jobs can have the core in
// between.
import { freeTensors } from './free-tensors.ts';
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
      const needed = neededParts(parts, fetches);
      for (const [i, { part, fetched }] of needed.entries()) {
        const given = part.inputNames.map((name) => [name, values[name]!] as const);
        Object.assign(values, await part.run(Object.fromEntries(given), fetched));
        const later = needed.slice(i + 1).flatMap((next) => next.part.inputNames);
        const kept = new Set([...Object.keys(feeds), ...fetches, ...later]);
        const unread = Object.keys(values).filter((name) => !kept.has(name));
        freeTensors(unread.map((name) => values[name]!));
        for (const name of unread) delete values[name];
      }
      return Object.fromEntries(fetches.map((name) => [name, values[name]!]));
    },
  };
}

/** The parts that the outputs depend on, each with those of its outputs that are read. */
function neededParts(
  parts: readonly Session[],
  fetches: readonly string[],
): readonly { readonly part: Session; readonly fetched: readonly string[] }[] {
  const wanted = new Set(fetches);
  const needed = parts.toReversed().flatMap((part) => {
    const fetched = part.outputNames.filter((name) => wanted.has(name));
    if (fetched.length === 0) return [];
    for (const name of part.inputNames) wanted.add(name);
    return [{ part, fetched }];
  });
  return needed.toReversed();
}
