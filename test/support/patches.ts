// Changes of source text with which a child process of a test is started.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Patch {
  /** Path from the root of the tree. */
  readonly file: string;
  /** Text that occurs once. */
  readonly from: string;
  readonly to: string;
}

/** Ends the process at this statement as a power cut would. */
export const suddenDeath = "process.kill(process.pid, 'SIGKILL');";

/** @throws when the source lacks the text of a patch */
export function applyPatches(source: string, patches: readonly Patch[]): string {
  return patches.reduce((text, { file, from, to }) => {
    if (!text.includes(from)) throw new Error(`${file} has no "${from}" to be patched`);
    return text.replace(from, () => to);
  }, source);
}

/**
 * The options of `fork` for the patches; empty without any.
 * @param root of the tree that the process runs
 * @throws for a text that is missing, because a process that ends as it loads leaves its test
 * waiting
 */
export function patchedFork(
  patches: readonly Patch[],
  root: string,
): {
  readonly execArgv: string[];
  readonly env: Readonly<Record<string, string>>;
} {
  if (patches.length === 0) return { execArgv: [], env: {} };
  for (const [file, ofFile] of Map.groupBy(patches, (patch) => patch.file)) {
    applyPatches(readFileSync(join(root, file), 'utf8'), ofFile);
  }
  return {
    execArgv: ['--import', new URL('patched-source.ts', import.meta.url).href],
    env: { TEST_PATCHES: JSON.stringify(patches) },
  };
}
